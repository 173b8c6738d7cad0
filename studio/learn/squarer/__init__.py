"""The corner refiner (`models/squarer.onnx`): what it learns from, the network, and its training."""
