// The tables of the Express peer, and the school in them: the catalogue, 5,000 students, 50,000 enrollments.
'use strict';

const { createHash, randomBytes } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const STUDENTS = 5000;
const ENROLLMENTS = 50_000;
/** Students who ask during the measurement. They have three enrollments each, in the last three courses. */
const ACTORS = 320;
const WEEK = 7 * 24 * 3600 * 1000;

const SCHEMA = `
  create table courses (id integer primary key, code text not null unique, name text not null,
    description text not null, grade integer not null, course_type text not null, is_compulsory integer not null,
    prerequisite text not null, price_cents integer, credits real not null);
  create table students (id integer primary key, email text not null unique, name text not null,
    password_hash text not null, created_at text not null);
  create table staff (id integer primary key, email text not null unique, name text not null,
    password_hash text not null, role text not null);
  create table sessions (token_hash text primary key, student_id integer references students,
    staff_id integer references staff, expires_at integer not null,
    check ((student_id is null) <> (staff_id is null))) without rowid;
  create table enrollments (id integer primary key, student_id integer not null references students,
    course_id integer not null references courses, start_date text not null, end_date text not null,
    status text not null check (status in ('pending', 'active', 'completed')), created_at text not null,
    unique (student_id, course_id), check (start_date < end_date));
  create index enrollments_by_status on enrollments (status, id);
  create table documents (id integer primary key, student_id integer not null references students,
    document_type text not null, file_name text not null, stored_as text not null unique,
    size_bytes integer not null, sha256 text not null, created_at text not null);
  create index documents_by_student on documents (student_id);
  create table messages (id integer primary key, name text not null, email text not null, subject text not null,
    message text not null, created_at text not null);
  create table outbox (id integer primary key, recipient text not null, subject text not null, body text not null,
    created_at text not null, sent_at text);
  create index outbox_waiting on outbox (id) where sent_at is null;
  create table audit (id integer primary key, at text not null, actor text not null, action text not null,
    subject_id integer not null);`;

/** How a session's token is stored. */
const tokenHash = (token) => createHash('sha256').update(token).digest('base64url');

/** Fills an empty database, and tells the benchmark in peer.json who may ask for what. */
function seed(db, data, peers) {
  const courses = JSON.parse(readFileSync(join(peers, 'courses.json'), 'utf8'));
  const cookies = db.transaction(() => fill(db, courses))();
  const student = { as: 'student' };
  const operations = {
    courses: { line: 'GET /api/courses', status: 200 },
    own: { line: 'GET /api/students/enrollments', ...student, status: 200 },
    pending: { line: 'GET /api/admin/enrollments/pending?page=1', as: 'staff', status: 200 },
    enroll: { line: 'POST /api/students/enrollments', ...student, status: 201,
      body: { courseId: '{course}', startDate: '2027-01-04', endDate: '2027-06-25' } },
    contact: { line: 'POST /api/contact', status: 200,
      body: { name: 'Li Wei', email: 'li.{number}@mail.example', subject: 'general',
        message: 'When does the next course begin?' } },
    upload: { line: 'POST /api/students/documents', ...student, status: 201,
      multipart: { field: 'file', fields: { documentType: 'passport' } } },
    home: { line: 'GET /', status: 200 },
  };
  const free = courses.slice(0, -3).map((_, index) => index + 1);
  writeFileSync(join(data, 'peer.json'), JSON.stringify({ ...cookies, operations, courses: free }));
}

function fill(db, courses) {
  db.exec(SCHEMA);
  const insert = (table, columns) => {
    const statement = db.prepare(`insert into ${table} values (null, ${Array(columns).fill('?')})`);
    return (...values) => statement.run(...values);
  };
  const now = new Date().toISOString();
  // No one logs in with a password here: a hash of its usual length, and no seconds spent on making 5,000.
  const password = `$2b$10$${randomBytes(40).toString('hex').slice(0, 53)}`;

  const course = insert('courses', 9);
  for (const one of courses) {
    course(one.code, one.name, one.description, one.grade, one.courseType, Number(one.isCompulsory),
      one.prerequisite, one.priceCents, one.credits);
  }
  const student = insert('students', 4);
  for (let id = 1; id <= STUDENTS; id++) student(`student.${id}@mail.example`, `Student ${id}`, password, now);
  insert('staff', 4)('office@school.example', 'Office', password, 'admin');

  const enroll = insert('enrollments', 6);
  const others = STUDENTS - ACTORS;
  for (let i = 0; i < ENROLLMENTS; i++) {
    const id = ACTORS + 1 + (i % others);
    const round = Math.floor(i / others);
    // 13 and 158 share no factor: no student meets a course twice.
    const courseId = 1 + ((id * 7 + round * 13) % courses.length);
    enroll(id, courseId, '2026-09-08', '2027-01-29', i % 200 === 0 ? 'pending' : 'active', now);
  }
  for (let id = 1; id <= ACTORS; id++) {
    for (let back = 0; back < 3; back++) {
      enroll(id, courses.length - back, '2026-09-08', '2027-01-29', 'active', now);
    }
  }

  const open = db.prepare('insert into sessions values (?, ?, ?, ?)');
  const session = (studentId, staffId) => {
    const token = randomBytes(32).toString('base64url');
    open.run(tokenHash(token), studentId, staffId, Date.now() + WEEK);
    return { name: 'cookie', value: `session=${token}` };
  };
  return { students: Array.from({ length: ACTORS }, (_, index) => session(index + 1, null)), staff: session(null, 1) };
}

module.exports = { seed, tokenHash };
