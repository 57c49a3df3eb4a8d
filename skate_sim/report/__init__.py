"""A run as one page of HTML that needs nothing else: ``report.html``.

Question and finding in words, figures, tables that sort, what was run, how sure that is, and games told with
pictures. What is written by users is escaped; nothing is loaded from anywhere.
"""

from skate_sim.report.page import page, write

__all__ = ["page", "write"]
