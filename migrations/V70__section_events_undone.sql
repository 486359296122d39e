-- A new event is looked up among those that others undo.
create index section_events_undone on section_events (undoes_id) where undoes_id is not null;
