"""What the camera sees: patches laid over each other, light, lens, sensor, video."""
