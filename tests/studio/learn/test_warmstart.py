"""A model that ships is taken apart into the network that it came from."""

import numpy as np
import pytest

from vision.detect.models import open_model
from vision.values.resources import shipped


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # PyTorch and ONNX warn of each other
def test_the_network_says_what_the_model_says() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from studio.learn.finder.net import FinderNet
    from studio.learn.warmstart import restore

    pictures = np.random.default_rng(5).random((3, 3, 64, 96), np.float32)
    net = FinderNet()
    restore(net, shipped("models") / "finder.onnx", torch.from_numpy(pictures))
    with torch.no_grad():
        said = net.eval()(torch.from_numpy(pictures)).numpy()
    assert said == pytest.approx(open_model("finder").run(pictures)[0], abs=1e-3)
