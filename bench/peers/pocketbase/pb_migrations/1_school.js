// The collections of the PocketBase peer, and the school in them: the catalogue, 5,000 students, 50,000 enrollments.
// The rules say who may do what; what else happens at a write is in pb_hooks.
migrate((app) => {
  const STUDENTS = 5000;
  const ENROLLMENTS = 50000;
  // Students who ask during the measurement. They have three enrollments each, in the last three courses.
  const ACTORS = 320;

  const text = (name, more) => ({ name, type: "text", required: true, ...more });
  const number = (name) => ({ name, type: "number", onlyInt: true });
  const date = (name) => ({ name, type: "date", required: true });
  const choice = (name, values) => ({ name, type: "select", values, required: true, maxSelect: 1 });
  const created = { name: "created", type: "autodate", onCreate: true };
  const relation = (name, to) => ({ name, type: "relation", required: true, maxSelect: 1, collectionId: id(to) });
  const id = (name) => app.findCollectionByNameOrId(name).id;
  const make = (type, name, fields, more) => app.save(new Collection({ type, name, fields, ...more }));

  make("base", "courses", [
    text("code"), text("name"), text("description", { max: 5000 }), number("grade"), text("courseType"),
    { name: "isCompulsory", type: "bool" }, text("prerequisite", { required: false }), number("priceCents"),
    { name: "credits", type: "number" },
  ], {
    listRule: "", viewRule: "",
    indexes: ["create unique index courses_code on courses (code)"],
  });
  make("auth", "students", [text("name"), created], { viewRule: "id = @request.auth.id" });
  make("auth", "staff", [text("name")], { viewRule: "id = @request.auth.id" });
  make("base", "enrollments", [
    relation("student", "students"), relation("course", "courses"), date("startDate"), date("endDate"),
    choice("status", ["pending", "active", "completed"]), created,
  ], {
    listRule: "student = @request.auth.id", viewRule: "student = @request.auth.id",
    createRule: '@request.auth.collectionName = "students"',
    indexes: [
      "create unique index enrollments_once on enrollments (student, course)",
      "create index enrollments_by_status on enrollments (status, created)",
    ],
  });
  // Staff read another collection than students: with both in one rule of enrollments, joined by "or", a student's
  // own rows were found by reading the whole table. Joined here, as `expand` would ask twice more.
  make("view", "pending", [], {
    listRule: '@request.auth.collectionName = "staff"',
    viewQuery: "select e.id, e.startDate, e.endDate, e.created, s.name as studentName, s.email, c.code," +
      " c.name as courseName, c.priceCents from enrollments e join students s on s.id = e.student" +
      " join courses c on c.id = e.course where e.status = 'pending'",
  });
  make("base", "documents", [
    relation("student", "students"),
    choice("documentType", ["passport", "transcript", "other"]),
    { name: "file", type: "file", required: true, maxSelect: 1, maxSize: 10 * 1024 * 1024,
      mimeTypes: ["application/pdf"], protected: true },
    created,
  ], {
    listRule: "student = @request.auth.id", viewRule: "student = @request.auth.id",
    createRule: '@request.auth.collectionName = "students"',
    indexes: ["create index documents_by_student on documents (student)"],
  });
  make("base", "messages", [
    text("name", { min: 2, max: 200 }), { name: "email", type: "email", required: true },
    choice("subject", ["admission", "courses", "general", "other"]),
    text("message", { min: 10, max: 10000 }), created,
  ], { createRule: "" });
  make("base", "outbox", [
    { name: "recipient", type: "email", required: true }, text("subject"), text("body", { max: 20000 }), created,
    { name: "sent", type: "date" },
  ]);
  make("base", "audit", [text("actor"), text("action"), text("subject"), created]);

  // No peer keeps a log of its requests, and schoolhouse does so only at the level debug.
  const settings = app.settings();
  settings.logs.maxDays = 0;
  app.save(settings);

  const courses = JSON.parse(toString($os.readFile($os.getenv("PEERS") + "/courses.json")));
  const ids = courses.map((course) => {
    const record = new Record(app.findCollectionByNameOrId("courses"), course);
    app.save(record);
    return record.id;
  });
  const account = (collection, name, email) => {
    const record = new Record(app.findCollectionByNameOrId(collection), { name, email, verified: true });
    record.setRandomPassword();
    app.save(record);
    return record;
  };
  const staff = account("staff", "Office", "office@school.example");
  // Without a superuser the server would open a browser to make one.
  account("_superusers", "", "superuser@school.example");

  // Five thousand passwords would be minutes of hashing: all students get the hash of the first.
  const first = account("students", "Student 1", "student.0001@mail.example");
  const run = (sql, params) => app.db().newQuery(sql).bind(params).execute();
  run(`with recursive n (i) as (select 2 union all select i + 1 from n where i < {:students})
    insert into students (name, email, password, tokenKey, verified, emailVisibility, created)
    select 'Student ' || i, format('student.%04d@mail.example', i), p.password, lower(hex(randomblob(25))),
      true, false, p.created
    from n, (select password, created from students where id = {:first}) p`, { students: STUDENTS, first: first.id });
  run("create temp table number_of_student as select id, cast(substr(name, 9) as integer) as number from students", {});
  run("create unique index temp.numbers on number_of_student (number)", {});
  run("create temp table number_of_course (number integer primary key, id text)", {});
  ids.forEach((id, index) => run("insert into number_of_course values ({:index}, {:id})", { index, id }));
  const enroll = `insert into enrollments (student, course, startDate, endDate, status, created)
    select s.id, c.id, '2026-09-08 00:00:00.000Z', '2027-01-29 00:00:00.000Z',
      iif(w.i % 200 = 0, 'pending', 'active'), strftime('%Y-%m-%d %H:%M:%fZ', 'now')
    from wanted w join number_of_student s on s.number = w.student join number_of_course c on c.number = w.course`;
  // 13 and 158 share no factor: no student meets a course twice.
  run(`with recursive n (i) as (select 0 union all select i + 1 from n where i < {:enrollments} - 1),
    wanted (i, student, course) as (select i, {:actors} + 1 + i % {:others},
      (({:actors} + 1 + i % {:others}) * 7 + i / {:others} * 13) % {:courses} from n) ${enroll}`,
  { enrollments: ENROLLMENTS, actors: ACTORS, others: STUDENTS - ACTORS, courses: ids.length });
  run(`with recursive n (i) as (select 1 union all select i + 1 from n where i < {:actors}),
    wanted (i, student, course) as (select 1, n.i, {:courses} - back.value
      from n, json_each('[1, 2, 3]') back) ${enroll}`,
  { actors: ACTORS, courses: ids.length });
  run("drop table temp.number_of_student", {});
  run("drop table temp.number_of_course", {});

  const token = (record) => ({ name: "authorization", value: record.newAuthToken() });
  const student = { as: "student", status: 200 };
  const records = (collection, query) => `/api/collections/${collection}/records${query}`;
  const peer = {
    students: app.findRecordsByFilter("students", "", "email", ACTORS, 0, {}).map(token),
    staff: token(staff),
    operations: {
      courses: { line: "GET " + records("courses", "?perPage=500&skipTotal=1&sort=grade,code"), status: 200 },
      own: { line: "GET " + records("enrollments", "?perPage=100&skipTotal=1&sort=-created&expand=course"),
        ...student },
      pending: { line: "GET " + records("pending", "?page=1&perPage=25&sort=created"), as: "staff", status: 200 },
      enroll: { line: "POST " + records("enrollments", ""), ...student,
        body: { course: "{course}", startDate: "2027-01-04", endDate: "2027-06-25" } },
      contact: { line: "POST " + records("messages", ""), status: 200,
        body: { name: "Li Wei", email: "li.{number}@mail.example", subject: "general",
          message: "When does the next course begin?" } },
      upload: { line: "POST " + records("documents", ""), ...student,
        multipart: { field: "file", fields: { documentType: "passport" } } },
      home: { line: "GET /", status: 200 },
    },
    courses: ids.slice(0, -3),
  };
  $os.writeFile($filepath.join(app.dataDir(), "../peer.json"), JSON.stringify(peer), 0o644);
}, () => {});
