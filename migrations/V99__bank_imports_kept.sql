-- An import of a bank's file is never edited or deleted; it is undone once.
create trigger bank_imports_are_never_edited before update on bank_imports
when new.id is not old.id or new.account is not old.account or new.sha256 is not old.sha256
    or new.columns is not old.columns or new.created_by is not old.created_by or new.created_at is not old.created_at
    or new.undone_by <> old.undone_by or new.undone_at <> old.undone_at
    or (old.undone_at is not null and new.undone_at is null)
begin select raise(abort, 'imports of a bank are append-only'); end;

create trigger bank_imports_are_never_deleted before delete on bank_imports
begin select raise(abort, 'imports of a bank are append-only'); end;
