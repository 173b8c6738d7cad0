"""The learning side: data sets, training, export, evaluation. Only this part knows PyTorch and Ultralytics."""
