"""The accuracy suites: many rounds with known truth go through the pipeline; pooled measures leave."""
