-- Lines of attempts that were undone are matched by what the undo has learned of them.
create index undos_by_time on undos (app_id, created_time) where handles is not null;
