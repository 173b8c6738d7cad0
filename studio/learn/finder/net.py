"""The finder's network: a picture enters, maps at a quarter of its size leave.

A small residual trunk down to 1/32, brought back to 1/8 with skips; the last layer writes four cells for every place at
1/8, which gives maps at 1/4 without the cost of features at 1/4. `Maps` says what stands in which channel.
"""

from torch import Tensor, nn
from torch.nn.functional import interpolate, pixel_shuffle

from studio.learn.layers import Block, conv
from vision.detect.maps import CHANNELS, HEATS

WIDTHS = (16, 24, 40, 64, 96)  # at 1/2, 1/4, 1/8, 1/16, 1/32
HEAD = 64
RARE = -4.0  # a cell is seldom the middle of a thing: start from there


class FinderNet(nn.Module):
    """Pictures (n, 3, h, w) in 0..1 with sides that 32 divides enter; maps (n, CHANNELS, h/4, w/4) leave."""

    def __init__(self) -> None:
        super().__init__()
        w2, w4, w8, w16, w32 = WIDTHS
        self.quarter = nn.Sequential(conv(3, w2, 2), conv(w2, w4, 2), Block(w4))
        self.eighth = nn.Sequential(conv(w4, w8, 2), Block(w8), Block(w8))
        self.sixteenth = nn.Sequential(conv(w8, w16, 2), Block(w16), Block(w16))
        self.last = nn.Sequential(conv(w16, w32, 2), Block(w32), Block(w32))
        self.from_last = nn.Conv2d(w32, w16, 1)
        self.mix16 = conv(w16, w16)
        self.from16 = nn.Conv2d(w16, w8, 1)
        self.from4 = conv(w4, w8, 2)  # fine detail, which the trunk has smoothed away
        self.head = nn.Sequential(conv(w8, HEAD), nn.Conv2d(HEAD, 4 * CHANNELS, 1))
        bias = self.head[-1].bias.data
        bias.zero_()
        bias[: 4 * HEATS] = RARE

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the maps."""
        x4 = self.quarter(pictures * 2 - 1)
        x8 = self.eighth(x4)
        x16 = self.sixteenth(x8)
        x32 = self.last(x16)
        x16 = self.mix16(x16 + interpolate(self.from_last(x32), scale_factor=2.0, mode="nearest"))
        x8 = x8 + self.from4(x4) + interpolate(self.from16(x16), scale_factor=2.0, mode="nearest")
        return pixel_shuffle(self.head(x8), 2)
