"""A card as the camera sees it: any place, any turn, slightly bent, glossy."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.backs import back
from studio.art.faces import card_mask, face
from studio.art.foreign import foreign_back, foreign_face
from studio.light import Light
from studio.patch import Patch
from studio.scene import CardBody, Pose
from vision.values.cards import Card
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture
from vision.values.sizes import CARD_HEIGHT_MM, CARD_THICKNESS_MM, CARD_WIDTH_MM

FETCHED = "::"  # between the folder and the name of a fetched deck
OVERSAMPLE = 2  # drawn larger and averaged down: smooth edges and no moiré in the pips
GLOSS, GLOSS_SHARPNESS = 0.28, 90  # plastic-coated cards: a broad, mild sheen
LEAST_EDGE_PX = 0.08  # less of an edge is not to be seen
PAPER_EDGE = np.array([205, 214, 220], np.float32)
MIP_STEPS = 3  # textures per octave of size
UP = np.array([0.0, 0.0, 1.0])


def card_axes(pose: Pose) -> Floats:
    """Return the card's right, top and face directions in table space, one per row."""
    angle, turn, tilt = np.radians([pose.angle, pose.turn, pose.tilt])
    right, top = np.array([np.cos(turn), 0, -np.sin(turn)]), np.array([0, np.cos(tilt), np.sin(tilt)])
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    right = about_x @ right
    about_z = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    axes = np.stack([right, top, np.cross(right, top)])
    return np.asarray(axes @ about_z.T)


def card_corners(pose: Pose) -> Floats:
    """Return the corners in table space: top left, top right, bottom right, bottom left of the face."""
    right, top, _ = card_axes(pose)
    centre = np.array([pose.x, pose.y, pose.z])
    half_w, half_h = right * CARD_WIDTH_MM / 2, top * CARD_HEIGHT_MM / 2
    return np.stack(
        [centre - half_w + half_h, centre + half_w + half_h, centre + half_w - half_h, centre - half_w - half_h]
    )


def shows_face(pose: Pose, camera: Camera) -> bool:
    """Tell which side the camera sees."""
    normal = card_axes(pose)[2]
    return bool(normal @ (np.array(camera.position_mm) - np.array([pose.x, pose.y, pose.z])) > 0)


def paint_card(body: CardBody, pose: Pose, camera: Camera, design: tuple[str, str], light: Light) -> Patch:
    """Draw a card; `design` names its face and its back."""
    quad = camera.project(card_corners(pose))
    seen = shows_face(pose, camera)
    size = max(np.linalg.norm(quad[1] - quad[0]) / CARD_WIDTH_MM, np.linalg.norm(quad[2] - quad[1]) / CARD_HEIGHT_MM)
    texture, mask = _textures(design[0] if seen else design[1], str(body.card) if seen else "", _mip(float(size)))
    if not seen:
        quad = quad[[1, 0, 3, 2]]  # a card turned over shows its back unmirrored
    u, v, colour, cover = _warp(texture, mask, quad)
    lit = colour * _shade(body, pose, light, seen=seen)
    lit += (255 - lit) * _glare(body, pose, camera, light, (u, v, cover.shape[1], cover.shape[0]))[..., None]
    lit, cover = _with_edge(lit, cover, _sunk(pose, camera), light)
    return Patch(u, v, np.clip(lit, 0, 255).astype(np.uint8), cover)


def shadow_of_card(pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return the shadow under a card: a line when it lies, softer and farther off the higher it is."""
    corners = card_corners(pose)
    lean = np.array(light.towards)
    ground = corners - corners[:, 2:] / lean[2] * lean + np.array([-lean[0], -lean[1], 0]) * 0.8
    ground[:, 2] = 0
    quad = camera.project(ground)
    soft = 1.0 + 0.06 * pose.z * camera.scale_px_per_mm((pose.x, pose.y, 0.0))
    return soft_polygon(quad, soft, 0.42 / (1 + 0.012 * pose.z))


def soft_polygon(points: Floats, soft_px: float, strength: float) -> Patch:
    """Return a dark polygon with soft edges."""
    margin = int(3 * soft_px) + 2
    low = np.floor(points.min(axis=0)).astype(int) - margin
    high = np.ceil(points.max(axis=0)).astype(int) + margin
    cover = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    shifted = ((points - low) * 16).astype(np.int32)
    cv2.fillConvexPoly(cover, shifted, int(255 * strength), cv2.LINE_AA, 4)
    cover = cv2.GaussianBlur(cover, (0, 0), soft_px)
    return Patch(int(low[0]), int(low[1]), np.zeros((*cover.shape, 3), np.uint8), np.asarray(cover, np.uint8))


def _mip(px_per_mm: float) -> int:
    """Choose the texture whose pixels are about as large as those of the oversampled picture."""
    return round(float(np.log2(max(px_per_mm * OVERSAMPLE, 0.1))) * MIP_STEPS)


@cache
def _textures(design: str, card: str, mip: int) -> tuple[Picture, Picture]:
    picture = printed(design, card)
    scale = min(2 ** (mip / MIP_STEPS) / 10, 1.0)
    size = (max(round(picture.shape[1] * scale), 8), max(round(picture.shape[0] * scale), 8))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), np.asarray(
        cv2.resize(card_mask(), size, interpolation=cv2.INTER_AREA), np.uint8
    )


def printed(design: str, card: str) -> Picture:
    """Return a face (or, without a card, a back) of a design of ours, or of a fetched deck ('folder::deck')."""
    folder, fetched, deck = design.partition(FETCHED)
    if fetched:
        return foreign_face(Path(folder), deck, Card.parse(card)) if card else foreign_back(Path(folder), deck)
    return face(design, Card.parse(card)) if card else back(design)


def _warp(texture: Picture, mask: Picture, quad: Floats) -> tuple[int, int, NDArray[np.float32], Picture]:
    low = np.floor(quad.min(axis=0)).astype(int) - 1
    high = np.ceil(quad.max(axis=0)).astype(int) + 2
    width, height = (int(n) for n in high - low)
    h, w = mask.shape
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    target = ((quad - low) * OVERSAMPLE + (OVERSAMPLE - 1) / 2).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    large = (width * OVERSAMPLE, height * OVERSAMPLE)
    colour = cv2.warpPerspective(texture, matrix, large, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(mask, matrix, large, flags=cv2.INTER_LINEAR)
    colour = cv2.resize(colour, (width, height), interpolation=cv2.INTER_AREA)
    cover = cv2.resize(cover, (width, height), interpolation=cv2.INTER_AREA)
    return int(low[0]), int(low[1]), colour.astype(np.float32), np.asarray(cover, np.uint8)


def _sunk(pose: Pose, camera: Camera) -> Floats:
    """Return how far, in pixels, a card's lower side appears from its upper one."""
    middle = np.array([pose.x, pose.y, pose.z])
    upper, lower = camera.project([middle, middle - card_axes(pose)[2] * CARD_THICKNESS_MM])
    return np.asarray(lower - upper)


def _with_edge(
    colour: NDArray[np.float32], cover: Picture, sunk: Floats, light: Light
) -> tuple[NDArray[np.float32], Picture]:
    """Return a card with the edge of its paper, where the camera looks from the side and sees it."""
    if np.abs(sunk).max() < LEAST_EDGE_PX:
        return colour, cover
    way = np.array([[1, 0, sunk[0]], [0, 1, sunk[1]]])
    whole = np.maximum(cover, cv2.warpAffine(cover, way, cover.shape[::-1], flags=cv2.INTER_LINEAR))
    share = (cover / np.maximum(whole, 1).astype(np.float32))[..., None]
    paper = PAPER_EDGE * np.float32(light.ambient + 0.35 * (1 - light.ambient))
    return np.asarray(colour * share + paper * (1 - share), np.float32), np.asarray(whole, np.uint8)


def _glare(
    body: CardBody, pose: Pose, camera: Camera, light: Light, box: tuple[int, int, int, int]
) -> NDArray[np.float32]:
    """Return how much of the lamp the glossy card mirrors to the camera, over its box; curl makes it wander."""
    u, v, width, height = box
    ends = camera.place([[[u, v], [u + width, v]], [[u, v + height], [u + width, v + height]]], pose.z)
    to_camera = np.array(camera.position_mm) - ends
    half = to_camera / np.linalg.norm(to_camera, axis=-1, keepdims=True) + np.array(light.towards)
    half /= np.linalg.norm(half, axis=-1, keepdims=True)
    normal = card_axes(pose)[2]
    facing = np.abs(half @ normal) - 0.002 * body.curl_mm
    mirrored = GLOSS * np.clip(facing, 0, 1) ** GLOSS_SHARPNESS
    return np.asarray(
        cv2.resize(mirrored.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR), np.float32
    )


def _shade(body: CardBody, pose: Pose, light: Light, *, seen: bool) -> float:
    """Return how bright the card is, compared with one that lies flat."""
    normal = card_axes(pose)[2] * (1 if seen else -1)
    flat = float(light.on(UP))
    return float(light.on(normal)) / flat * (1 - 0.01 * body.curl_mm)
