"""People at the table: a random generator enters, a Person leaves, with skin, hair, clothes and what is worn.

A person is a handful of values; how hands, sleeves and heads come of them is the painters' business.
"""

from dataclasses import dataclass

import numpy as np

from studio.art.paint import Colour

SKIN_RAMP = (
    (178, 200, 236),
    (150, 178, 224),
    (124, 156, 208),
    (98, 130, 186),
    (70, 98, 152),
    (52, 72, 116),
    (38, 50, 82),
)
HAIRS = (
    (22, 22, 24),
    (28, 34, 44),
    (34, 52, 80),
    (60, 96, 138),
    (110, 160, 200),
    (120, 124, 128),
    (205, 208, 210),
    (36, 64, 140),
)
SUITS = ((34, 30, 30), (62, 46, 36), (78, 74, 72), (50, 42, 40), (96, 104, 112), (40, 50, 66))
SHIRTS = (
    (240, 238, 236),
    (226, 206, 180),
    (206, 186, 226),
    (200, 170, 120),
    (40, 36, 36),
    (150, 196, 214),
    (120, 84, 58),
)
BRIGHTS = (
    (46, 44, 168),
    (160, 78, 34),
    (52, 110, 40),
    (40, 160, 214),
    (116, 46, 96),
    (30, 28, 28),
    (130, 128, 124),
    (70, 120, 196),
    (220, 220, 222),
    (96, 48, 26),
)
NAILS = ((40, 30, 170), (120, 70, 200), (50, 20, 70), (190, 170, 220), (28, 24, 26), (150, 110, 60), (225, 228, 232))
SLEEVES = ("bare", "shirt", "jacket", "hoodie", "patterned")
PATTERNS = ("stripes", "plaid", "floral", "dots", "camouflage")
HAIRCUTS = ("short", "long", "bald", "balding", "bun", "cap")


@dataclass(frozen=True, slots=True)
class Person:
    """How somebody at the table looks from above. Colours are BGR; `cuff_mm` is from the wrist to the sleeve."""

    skin: Colour = (124, 156, 208)
    hair: Colour = (28, 34, 44)
    haircut: str = "short"
    nails: Colour | None = None
    hand_size: float = 1.0
    build: float = 1.0  # thickness of fingers and arms
    sleeve: str = "shirt"
    cuff_mm: float = 2.0
    cloth: Colour = (226, 206, 180)
    trim: Colour = (240, 238, 236)
    pattern: str = "plain"
    watch: str = ""  # steel, gold or black, on the left wrist
    ring: str = ""
    bracelet: str = ""
    tattoo: bool = False
    age: float = 0.4  # 0 smooth, 1 wrinkled and veined
    hairy: float = 0.2
    elbow_deg: float = 4.0
    seed: int = 0


def random_person(rng: np.random.Generator, dealer: bool) -> Person:
    """Return somebody; a dealer wears the house's white shirt and black waistcoat, or its dark shirt."""
    woman = rng.random() < 0.45
    size = float(np.clip(rng.normal(0.93 if woman else 1.04, 0.045), 0.85, 1.15))
    tone = rng.random() * (len(SKIN_RAMP) - 1)
    skin = _jitter(rng, _between(SKIN_RAMP[int(tone)], SKIN_RAMP[int(tone) + 1], tone % 1), 3.5)
    hair = HAIRS[int(rng.integers(0, 3 if tone > 3 and rng.random() < 0.8 else len(HAIRS)))]
    sleeve, cuff, cloth, trim, pattern = _clothes(rng, dealer)
    return Person(
        skin=skin,
        hair=_jitter(rng, hair, 8),
        haircut=str(rng.choice(("short", "long", "bun") if woman else ("short", "short", "bald", "balding", "cap"))),
        nails=NAILS[int(rng.integers(len(NAILS)))] if woman and rng.random() < 0.5 else None,
        hand_size=size,
        build=float(np.clip(rng.normal(0.9 if woman else 1.04, 0.07), 0.78, 1.22)),
        sleeve=sleeve,
        cuff_mm=cuff,
        cloth=cloth,
        trim=trim,
        pattern=pattern,
        watch=_maybe(rng, ("steel", "gold", "black"), 0.45),
        ring=_maybe(rng, ("gold", "silver"), 0.35),
        bracelet=_maybe(rng, ("gold", "silver", "beads"), 0.3 if woman else 0.12),
        tattoo=bool(rng.random() < (0.05 if dealer else 0.18)),
        age=float(rng.random()),
        hairy=0.0 if woman else float(rng.random()),
        elbow_deg=float(rng.uniform(-2, 9)),
        seed=int(rng.integers(2**31)),
    )


def _clothes(rng: np.random.Generator, dealer: bool) -> tuple[str, float, Colour, Colour, str]:
    """Return sleeve, where it begins, its colour, the colour of what it is worn with, and its pattern."""
    if dealer:
        white = rng.random() < 0.7
        cloth = _jitter(rng, (238, 237, 236) if white else (34, 30, 30), 6)
        return "dealer", float(rng.uniform(-4, 8)), cloth, (30, 27, 27), "plain"
    sleeve = str(rng.choice(SLEEVES, p=(0.28, 0.22, 0.18, 0.14, 0.18)))
    palette = {"shirt": SHIRTS, "jacket": SUITS}.get(sleeve, BRIGHTS)
    cloth = _jitter(rng, palette[int(rng.integers(len(palette)))], 10)
    others = SHIRTS if sleeve in ("shirt", "jacket") else BRIGHTS + SHIRTS
    trim = _jitter(rng, others[int(rng.integers(len(others)))], 10)
    short = {"bare": (185, 285), "jacket": (6, 20), "hoodie": (-6, 6)}.get(sleeve, (-3, 10))
    rolled = sleeve in ("shirt", "patterned") and rng.random() < 0.35
    cuff = float(rng.uniform(90, 230) if rolled else rng.uniform(*short))
    pattern = str(rng.choice(PATTERNS)) if sleeve == "patterned" else "plain"
    if sleeve in ("shirt", "jacket") and rng.random() < 0.25:
        pattern = "stripes" if sleeve == "shirt" else "plaid"
    return sleeve, cuff, cloth, trim, pattern


def _maybe(rng: np.random.Generator, choices: tuple[str, ...], chance: float) -> str:
    return str(rng.choice(choices)) if rng.random() < chance else ""


def _between(one: Colour, two: Colour, share: float) -> Colour:
    blue, green, red = (round(a + (b - a) * share) for a, b in zip(one, two, strict=True))
    return blue, green, red


def _jitter(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    brightness = 1 + rng.normal(0, spread) / 60
    blue, green, red = (int(np.clip(c * brightness + rng.normal(0, spread) * c / 200, 12, 248)) for c in colour)
    return blue, green, red
