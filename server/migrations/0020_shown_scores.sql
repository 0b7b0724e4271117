-- large table: takes a second for a million attempts, in which saves go on and heartbeats wait. The other
-- index goes last: dropping it locks the table until the migrations are committed.
CREATE INDEX "participants_shown_scores" ON "participants" USING btree (coalesce("points", "score" * 10000) nulls first,"id","points","score") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
DROP INDEX "participants_scores";
