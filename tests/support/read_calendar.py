"""Reads a calendar from the standard input with icalendar and writes its events as JSON, in order. The hours in UTC are
those of the calendar's own time zone; it says so where the zone of that name is another one."""

import datetime
import json
import sys

from icalendar import Calendar

calendar = Calendar.from_ical(sys.stdin.buffer.read())
zones = {str(zone["TZID"]): zone.to_tz() for zone in calendar.walk("VTIMEZONE")}


def utc(time):
    own = time.dt.replace(tzinfo=zones[time.params["TZID"]]).astimezone(datetime.UTC)
    if own != time.dt:
        raise SystemExit(f"{time.dt} is {own} by the time zone in the calendar")
    return own.strftime("%Y-%m-%dT%H:%M")


def fields(event):
    if event.errors:
        raise SystemExit(f"{event.errors} in {event}")
    text = {name.lower(): str(event[name]) for name in ("UID", "SUMMARY", "DESCRIPTION", "STATUS", "URL") if name in event}
    return {"start": utc(event["DTSTART"]), "end": utc(event["DTEND"]), **text}


json.dump(sorted(map(fields, calendar.walk("VEVENT")), key=lambda event: event["start"]), sys.stdout)
