"""The two networks: a batch of crops enters (BGR, 0 to 255), the logits of ranks (and none) and of suits leave."""

from typing import Any

from torch import nn

from studio.learn.layers import Block, conv
from vision.detect.faces import CORNER_PX, WHOLE_PX
from vision.values.cards import RANKS, SUITS

WIDTHS = {"whole": (16, 24, 48, 96), "corner": (16, 24, 48, 96)}
SIZES = {"whole": WHOLE_PX, "corner": CORNER_PX}


class FaceNet(nn.Module):
    """Reads a crop of a card; where on the crop something stands counts, so the last map is weighed place by place."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        a, b, c, d = WIDTHS[kind]
        wide, high = (-(-side // 8) for side in SIZES[kind])
        self.body = nn.Sequential(conv(3, a, 2), conv(a, b), conv(b, c, 2), Block(c), conv(c, d, 2), Block(d))
        self.places = nn.Sequential(
            nn.Conv2d(d, d * 2, (high, wide), groups=d, bias=False), nn.BatchNorm2d(d * 2), nn.ReLU(), nn.Flatten()
        )
        self.drop = nn.Dropout(0.1)
        self.heads = nn.Linear(d * 2, len(RANKS) + 1 + len(SUITS))

    def forward(self, x: Any) -> Any:
        """Return the logits: 13 ranks, none, 4 suits."""
        return self.heads(self.drop(self.places(self.body((x - 127.5) / 64))))


def parameters(net: Any) -> int:
    """Return how many numbers a network has learned."""
    return sum(int(weights.numel()) for weights in net.parameters())
