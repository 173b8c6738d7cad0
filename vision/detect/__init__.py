"""What a picture shows, in pixels: a finder looks for things, readers read each thing on a crop of its own."""
