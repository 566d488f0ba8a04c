"""What there is to read about the game and this site, and the first hand, a lesson.

pages.py names the pages, whose prose is a template a language; figures.py works out the figures
that stand in it; drawings.py has the engine lay out the hands that are drawn; lesson.py is the
prepared hands of the lesson; doors.py opens it all.
"""
