// What the PocketBase peer does beside storing a record: who owns it, the audit row, the emails to send.

// PocketBase opens its databases with synchronous=NORMAL, where an answer can leave before the write is on the disk.
// All its writes go over one connection, closed after three idle minutes: set here, and kept by the task below. There
// is no other way without compiling Go.
onBootstrap((e) => {
  e.next();
  $app.nonconcurrentDB().newQuery("pragma synchronous = full").execute();
});
cronAdd("synchronous", "* * * * *", () => {
  $app.nonconcurrentDB().newQuery("pragma synchronous = full").execute();
});

// Off by default.
routerUse($apis.gzip());

onRecordCreateRequest((e) => {
  const { queueMail, inTransaction } = require(`${__hooks}/write.js`);
  e.record.set("student", e.auth.id);
  e.record.set("status", "pending");
  const [start, end] = [e.record.getString("startDate"), e.record.getString("endDate")];
  if (start >= end) throw new BadRequestError("End date must be after start date");
  inTransaction(e, (tx) => {
    const course = tx.findRecordById("courses", e.record.get("course"));
    const audit = new Record(tx.findCachedCollectionByNameOrId("audit"));
    audit.set("actor", `student ${e.auth.id}`);
    audit.set("action", "enrollment.requested");
    audit.set("subject", e.record.id);
    tx.save(audit);
    queueMail(tx, e.auth.email(), "We have your enrollment request", `Dear ${e.auth.get("name")},

Your request for ${course.get("name")} (${course.get("code")}), from ${start.slice(0, 10)} to ${end.slice(0, 10)},
has been submitted for approval. The office reads every request and you will get an email as soon as it is approved.
`);
  });
}, "enrollments");

onRecordCreateRequest((e) => {
  const { queueMail, inTransaction } = require(`${__hooks}/write.js`);
  const { name, email, subject, message } = e.record.publicExport();
  inTransaction(e, (tx) => {
    queueMail(tx, email, "We have your message", `Dear ${name},

Thank you for writing to us. Your message has arrived and the office will answer it as soon as it can:

${message}
`);
    queueMail(tx, "office@school.example", `${subject}: ${name}`, `From: ${name} <${email}>

${message}
`);
  });
}, "messages");

onRecordCreateRequest((e) => {
  e.record.set("student", e.auth.id);
  e.next();
}, "documents");
