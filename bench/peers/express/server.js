// The Express peer of the benchmark: what schoolhouse does for the measured requests, written as a careful Node
// developer would. One process and one thread, as `node server.js` is; better-sqlite3 waits for the disk on it.
'use strict';

const { createHash, randomUUID } = require('node:crypto');
const { createWriteStream, existsSync, mkdirSync } = require('node:fs');
const { rm } = require('node:fs/promises');
const { join, resolve } = require('node:path');
const { pipeline } = require('node:stream/promises');

const Database = require('better-sqlite3');
const busboy = require('busboy');
const compression = require('compression');
const cookieParser = require('cookie-parser');
const express = require('express');
const { z } = require('zod');

const { seed, tokenHash } = require('./seed.js');

const [data, peers] = process.argv.slice(2).map((folder) => resolve(folder));
const documents = join(data, 'documents');
mkdirSync(documents, { recursive: true });
const isNew = !existsSync(join(data, 'peer.json'));

const db = new Database(join(data, 'school.db'));
db.pragma('journal_mode = WAL');
// A write is answered after it is on the disk.
db.pragma('synchronous = FULL');
db.pragma('foreign_keys = ON');
if (isNew) seed(db, data, peers);

/** An error that the asker reads. */
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const sql = {
  courses: db.prepare(`select id, code, name, description, grade, course_type as courseType,
    is_compulsory as isCompulsory, prerequisite, price_cents as priceCents, credits from courses order by grade, code`),
  course: db.prepare('select id, code, name, price_cents as priceCents from courses where id = ?'),
  student: db.prepare(`select s.id, s.name, s.email from sessions t join students s on s.id = t.student_id
    where t.token_hash = ? and t.expires_at > ?`),
  staff: db.prepare(`select s.id, s.name, s.role from sessions t join staff s on s.id = t.staff_id
    where t.token_hash = ? and t.expires_at > ?`),
  own: db.prepare(`select e.id, e.status, e.start_date as startDate, e.end_date as endDate, e.created_at as createdAt,
    c.id as courseId, c.code, c.name, c.price_cents as priceCents
    from enrollments e join courses c on c.id = e.course_id where e.student_id = ? order by e.id desc`),
  pending: db.prepare(`select e.id, e.start_date as startDate, e.end_date as endDate, e.created_at as createdAt,
    s.id as studentId, s.name as studentName, s.email, c.id as courseId, c.code, c.name, c.price_cents as priceCents
    from enrollments e join students s on s.id = e.student_id join courses c on c.id = e.course_id
    where e.status = 'pending' order by e.id limit ? offset ?`),
  pendingCount: db.prepare("select count(*) from enrollments where status = 'pending'").pluck(),
  enroll: db.prepare(`insert into enrollments (student_id, course_id, start_date, end_date, status, created_at)
    values (?, ?, ?, ?, 'pending', ?)`),
  audit: db.prepare('insert into audit (at, actor, action, subject_id) values (?, ?, ?, ?)'),
  mail: db.prepare('insert into outbox (recipient, subject, body, created_at) values (?, ?, ?, ?)'),
  message: db.prepare('insert into messages (name, email, subject, message, created_at) values (?, ?, ?, ?, ?)'),
  document: db.prepare(`insert into documents (student_id, document_type, file_name, stored_as, size_bytes, sha256,
    created_at) values (?, ?, ?, ?, ?, ?, ?)`),
};

/** Lets those pass whose session is in the database. */
const only = (role) => (req, res, next) => {
  const token = req.cookies.session;
  req.person = token && sql[role].get(tokenHash(token), Date.now());
  next(req.person ? undefined : new Refusal(401, 'Please log in'));
};

const NewEnrollment = z
  .object({ courseId: z.int(), startDate: z.iso.date(), endDate: z.iso.date() })
  .refine((form) => form.startDate < form.endDate, { path: ['endDate'], error: 'End date must be after start date' });

const NewMessage = z.object({
  name: z.string().trim().min(2).max(200),
  email: z.email(),
  subject: z.enum(['admission', 'courses', 'general', 'other']),
  message: z.string().trim().min(10).max(10_000),
});

const DocumentForm = z.object({ documentType: z.enum(['passport', 'transcript', 'other']) });

const enroll = db.transaction((student, form) => {
  const now = new Date().toISOString();
  const course = sql.course.get(form.courseId);
  if (!course) throw new Refusal(404, 'There is no such course');
  const { lastInsertRowid: id } = sql.enroll.run(student.id, course.id, form.startDate, form.endDate, now);
  sql.audit.run(now, `student ${student.id}`, 'enrollment.requested', id);
  sql.mail.run(student.email, 'We have your enrollment request', `Dear ${student.name},

Your request for ${course.name} (${course.code}), from ${form.startDate} to ${form.endDate}, has been submitted for
approval. The office reads every request and you will get an email as soon as it is approved.
`, now);
  return { id, status: 'pending', startDate: form.startDate, endDate: form.endDate, createdAt: now, course };
});

const receive = db.transaction((form) => {
  const now = new Date().toISOString();
  const { lastInsertRowid: id } = sql.message.run(form.name, form.email, form.subject, form.message, now);
  sql.mail.run(form.email, 'We have your message', `Dear ${form.name},

Thank you for writing to us. Your message has arrived and the office will answer it as soon as it can:

${form.message}
`, now);
  sql.mail.run('office@school.example', `${form.subject}: ${form.name}`, `From: ${form.name} <${form.email}>

${form.message}
`, now);
  return id;
});

/** Writes an uploaded file as it comes in; what is no PDF, or too large, is deleted again. */
async function store(file) {
  const name = randomUUID();
  const path = join(documents, name);
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  try {
    await pipeline(file, async function* examine(chunks) {
      for await (const chunk of chunks) {
        if (head.length < 4) head = Buffer.concat([head, chunk]).subarray(0, 4);
        sizeBytes += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
      // `flush` is an fsync before the file is closed.
    }, createWriteStream(path, { flush: true }));
    if (file.truncated) throw new Refusal(413, 'The file is larger than 10 MB');
    if (head.toString('latin1') !== '%PDF') throw new Refusal(400, 'Please choose a PDF');
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { name, sizeBytes, sha256: hash.digest('hex') };
}

async function readUpload(req) {
  const form = busboy({ headers: req.headers, limits: { files: 1, fields: 5, fileSize: 10 * 1024 * 1024 } });
  const fields = {};
  let stored;
  form.on('field', (name, value) => { fields[name] = value; });
  form.on('file', (_, file, { filename }) => {
    stored = store(file).then((one) => ({ ...one, filename }));
    // Looked at below; the rest of the body is read meanwhile, or the answer would wait for it.
    stored.catch(() => file.resume());
  });
  await pipeline(req, form);
  if (!stored) throw new Refusal(400, 'Please choose a file');
  return { fields, file: await stored };
}

const app = express();
app.disable('x-powered-by');
app.use(compression());
app.use(cookieParser());
app.use(express.json());

app.get('/api/courses', (req, res) => {
  res.json(sql.courses.all().map((course) => ({ ...course, isCompulsory: course.isCompulsory === 1 })));
});
app.get('/api/students/enrollments', only('student'), (req, res) => {
  res.json(sql.own.all(req.person.id));
});
app.get('/api/admin/enrollments/pending', only('staff'), (req, res) => {
  const page = z.coerce.number().int().min(1).default(1).parse(req.query.page);
  res.json({ items: sql.pending.all(25, (page - 1) * 25), total: sql.pendingCount.get(), page });
});
app.post('/api/students/enrollments', only('student'), (req, res) => {
  res.status(201).json(enroll.immediate(req.person, NewEnrollment.parse(req.body)));
});
app.post('/api/contact', (req, res) => {
  res.json({ id: receive.immediate(NewMessage.parse(req.body)) });
});
app.post('/api/students/documents', only('student'), async (req, res) => {
  const { fields, file } = await readUpload(req);
  try {
    const { documentType } = DocumentForm.parse(fields);
    const now = new Date().toISOString();
    const { lastInsertRowid: id } = sql.document.run(req.person.id, documentType, file.filename, file.name,
      file.sizeBytes, file.sha256, now);
    res.status(201).json({ id, documentType, fileName: file.filename, sizeBytes: file.sizeBytes, createdAt: now });
  } catch (error) {
    await rm(join(documents, file.name), { force: true });
    throw error;
  }
});

// Last, or every request of the API would look for a file first.
app.use(express.static(join(peers, 'public')));

// Express knows an error handler by its four parameters.
app.use((error, req, res, next) => {
  if (error instanceof z.ZodError) {
    return res.status(400).json({ message: 'Please check the form', fields: z.flattenError(error).fieldErrors });
  }
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE') {
    return res.status(409).json({ message: 'You have asked for this course already' });
  }
  const status = error.status ?? 500;
  if (status >= 500) console.error(error);
  return res.status(status).json({ message: status >= 500 ? 'Something went wrong' : error.message });
});

const server = app.listen(0, '127.0.0.1', (error) => {
  if (error) throw error;
  console.error(`express on http://127.0.0.1:${server.address().port}`);
});
