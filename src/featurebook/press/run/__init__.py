"""Executing chapters: parameters, freshness, provenance, sweeps, records."""
