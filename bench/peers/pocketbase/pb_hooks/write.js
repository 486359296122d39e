// What the hooks share: each of their functions runs alone and sees only what it requires.
module.exports = {
  /** Saves the record of a request, then does the rest, in one transaction; it answers after the commit. */
  inTransaction(e, rest) {
    const app = e.app;
    app.runInTransaction((tx) => {
      e.app = tx;
      e.next();
      rest(tx);
    });
    e.app = app;
  },

  queueMail(tx, recipient, subject, body) {
    const mail = new Record(tx.findCachedCollectionByNameOrId("outbox"));
    mail.set("recipient", recipient);
    mail.set("subject", subject);
    mail.set("body", body);
    tx.save(mail);
  },
};
