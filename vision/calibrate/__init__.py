"""Where a camera stands: a picture and the felt's print enter; the camera, its drift and what it can prove leave."""
