//! Plans which student takes which course when, and fills the diary.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use super::calendar::Calendar;
use super::diary::Diary;
use super::dice::Dice;
use super::names::{StudentIndex, regulars};
use super::profiles::DemoProfile;
use super::scene::{RequestIndex, Scene};
use crate::base::error::Result;

/// A course by its code in the sample catalogue.
pub type Code = &'static str;

/// A section, as a student asks for it.
#[derive(Clone, Copy)]
pub struct PlannedSection {
    /// Its label.
    pub label: &'static str,
    /// Its first day.
    pub start: Date,
    /// Its last day.
    pub end: Date,
}

/// Days relative to today.
#[derive(Debug, Clone, Copy)]
pub struct Days {
    /// When the course was requested; never later than today.
    pub asked: i64,
    /// The first day of the course.
    pub start: i64,
    /// The last day of the course.
    pub end: i64,
}

/// The usual length of a course (specification, section 3: "typical course length is 4 months").
pub const LENGTH: i64 = 120;

/// The plan under construction.
pub struct Plan {
    /// Events scheduled so far.
    pub diary: Diary,
    /// Random numbers.
    pub dice: Dice,
    /// Calendar of the school.
    pub calendar: Calendar,
    /// All students of the sample, with generated profiles.
    pub members: Vec<DemoProfile>,
    /// Requests made so far, so that a course is requested twice only on purpose.
    taken: BTreeSet<(StudentIndex, Code)>,
    first: BTreeMap<StudentIndex, i64>,
    /// Time of the latest event of each request.
    latest: BTreeMap<RequestIndex, Timestamp>,
    turn: usize,
}

impl Plan {
    /// An empty plan.
    pub fn new(calendar: Calendar, mut dice: Dice) -> Self {
        let members = super::profiles::draw(&calendar, &mut dice);
        let taken = BTreeSet::new();
        let first = BTreeMap::new();
        let latest = BTreeMap::new();
        Self { diary: Diary::default(), dice, calendar, members, taken, first, latest, turn: 0 }
    }

    /// The day of a student's first request.
    pub fn first_request(&self, who: StudentIndex) -> Option<i64> {
        self.first.get(&who).copied()
    }

    /// Picks the next student and one of the courses of their grade not requested yet.
    ///
    /// # Errors
    /// When every student has requested every course, which is an error in the plan.
    pub fn deal(
        &mut self,
        among: &[StudentIndex],
        codes: fn(usize) -> &'static [Code],
    ) -> Result<(StudentIndex, Code)> {
        for _ in among {
            self.turn += 1;
            let who = among[self.turn % among.len()];
            let wanted = codes(self.members[who].grade).iter().copied();
            let free: Vec<_> = wanted.filter(|code| !self.taken.contains(&(who, *code))).collect();
            if let Some(code) = self.dice.pick(&free).copied() {
                return Ok((who, code));
            }
        }
        Ok(None.context("no student is left for a course of the demo")?)
    }

    /// A regular student of a grade who has not requested this course.
    ///
    /// # Errors
    /// As [`Self::deal`].
    pub fn one_free(&mut self, grade: usize, code: Code) -> Result<StudentIndex> {
        let is_free =
            |who: &StudentIndex| self.members[*who].grade == grade && !self.taken.contains(&(*who, code));
        let free: Vec<_> = regulars().into_iter().filter(is_free).collect();
        Ok(self
            .dice
            .pick(&free)
            .copied()
            .with_context(|| format!("no student is left for {code} in the demo"))?)
    }

    /// A regular student of grade 12 who took one course and has not requested the next.
    ///
    /// # Errors
    /// As [`Self::deal`].
    pub fn one_after(&mut self, before: Code, code: Code) -> Result<StudentIndex> {
        let is_next = |who: &StudentIndex| {
            let taken = |code| self.taken.contains(&(*who, code));
            self.members[*who].grade == 12 && taken(before) && !taken(code)
        };
        let next: Vec<_> = regulars().into_iter().filter(is_next).collect();
        Ok(self
            .dice
            .pick(&next)
            .copied()
            .with_context(|| format!("no student is left for {code} in the demo"))?)
    }

    /// A student asks for a course on own days.
    pub fn ask(&mut self, who: StudentIndex, code: Code, days: Days) -> Result<RequestIndex> {
        self.ask_for(who, code, days, None)
    }

    /// A student asks for a course, in a section if there is one.
    pub fn ask_for(
        &mut self,
        who: StudentIndex,
        code: Code,
        days: Days,
        section: Option<PlannedSection>,
    ) -> Result<RequestIndex> {
        let request = self.diary.next_request();
        self.taken.insert((who, code));
        let first = self.first.entry(who).or_insert(days.asked);
        *first = days.asked.min(*first);
        let at = self.calendar.at_home(days.asked, &mut self.dice)?;
        let start = self.calendar.day(days.start);
        let end = self.calendar.day(days.end);
        let label = section.map(|section| section.label);
        let start = section.map_or(start, |section| section.start);
        let end = section.map_or(end, |section| section.end);
        self.then(request, at, move |scene| scene.ask(request, who, code, label, start, end));
        Ok(request)
    }

    /// Schedules a further event of a request at this time, but not before its earlier events: moving a weekend to
    /// Friday could change the order.
    pub fn then(
        &mut self,
        request: RequestIndex,
        at: Timestamp,
        event: impl FnOnce(&mut Scene<'_>) -> Result<()> + 'static,
    ) {
        let earliest = self.latest.get(&request).map(|before| *before + SignedDuration::from_mins(20));
        let at = earliest.map_or(at, |earliest| earliest.max(at));
        self.latest.insert(request, at);
        self.diary.note(at, event);
    }

    /// A student asks for a course, and the office approves it within a week.
    pub fn take(&mut self, who: StudentIndex, code: Code, days: Days) -> Result<RequestIndex> {
        let request = self.ask(who, code, days)?;
        self.approve(request, days)
    }

    /// The office approves a request within a week.
    pub fn approve(&mut self, request: RequestIndex, days: Days) -> Result<RequestIndex> {
        let at = self.decided(days.asked)?;
        self.then(request, at, move |scene| scene.approve(request));
        Ok(request)
    }

    /// When the office decides about a request made on a day, allowing for a weekend.
    pub fn decided(&mut self, asked: i64) -> Result<Timestamp> {
        let day = asked + self.dice.between(3, 6);
        self.calendar.at_work(day, &mut self.dice)
    }

    /// A mark: most are in the seventies and eighties.
    pub fn mark(&mut self) -> i64 {
        i64::midpoint(self.dice.between(53, 99), self.dice.between(53, 99))
    }

    /// Dates of a course that is requested some weeks before its first day.
    pub fn days(&mut self, start: i64) -> Days {
        let asked = (start - self.dice.between(9, 25)).min(-8);
        Days { asked, start, end: start + LENGTH }
    }
}
