"""What lies where: detections in pixels enter; observations in millimetres leave."""
