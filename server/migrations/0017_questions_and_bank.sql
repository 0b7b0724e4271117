-- New rules of large tables are not checked against old rows: those have none of the new columns.
CREATE TABLE "images" (
	"hash" text PRIMARY KEY NOT NULL,
	"media_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
ALTER TABLE "question_versions" DROP CONSTRAINT "question_versions_options";--> statement-breakpoint
DROP INDEX "participants_results";--> statement-breakpoint
ALTER TABLE "question_versions" ALTER COLUMN "correct_option_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "questions" ALTER COLUMN "quiz_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "question_versions" ADD COLUMN "details" jsonb;--> statement-breakpoint
ALTER TABLE "questions" ADD COLUMN "archived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "questions" ADD COLUMN "category_id" uuid;--> statement-breakpoint
ALTER TABLE "questions" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "questions" ADD COLUMN "difficulty" text;--> statement-breakpoint
ALTER TABLE "questions" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "quizzes" ADD COLUMN "structure" jsonb;--> statement-breakpoint
ALTER TABLE "quizzes" ADD COLUMN "negative_marks" jsonb;--> statement-breakpoint
ALTER TABLE "answers" ADD COLUMN "response" text;--> statement-breakpoint
ALTER TABLE "late_answers" ADD COLUMN "response" text;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "points" integer;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "max_points" integer;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "negative_marks" jsonb;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE set null ON UPDATE no action NOT VALID;--> statement-breakpoint
-- large table: questions are thousands, not millions, and only authors write them.
CREATE INDEX "question_versions_text" ON "question_versions" USING btree (md5("question"));--> statement-breakpoint
-- large table: questions are thousands, not millions, and only authors write them.
CREATE INDEX "questions_tags" ON "questions" USING gin ("tags");--> statement-breakpoint
-- large table: questions are thousands, not millions, and only authors write them.
CREATE INDEX "questions_newest" ON "questions" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "questions"."deleted_at" is null;--> statement-breakpoint
-- large table: questions are thousands, not millions, and only authors write them.
CREATE INDEX "questions_of_category" ON "questions" USING btree ("category_id");--> statement-breakpoint
-- large table: takes a second for a million attempts, in which saves go on and heartbeats wait.
CREATE INDEX "participants_results" ON "participants" USING btree ("quiz_id","submitted_at","total_marks","score","max_points","points") WHERE "participants"."replaced_at" is null and "participants"."status" = 'completed';--> statement-breakpoint
ALTER TABLE "question_versions" ADD CONSTRAINT "question_versions_plain" CHECK ("question_versions"."details" is not null or "question_versions"."correct_option_id" is not null) NOT VALID;--> statement-breakpoint
ALTER TABLE "question_versions" ADD CONSTRAINT "question_versions_options" CHECK (cardinality("question_versions"."option_ids") between 2 and 4 or "question_versions"."details" is not null and cardinality("question_versions"."option_ids") <= 26) NOT VALID;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_difficulty" CHECK ("questions"."difficulty" in ('easy', 'medium', 'hard')) NOT VALID;--> statement-breakpoint
ALTER TABLE "answers" ADD CONSTRAINT "answers_one_form" CHECK ("answers"."option_id" is null or "answers"."response" is null) NOT VALID;--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_points" CHECK ("participants"."points" between 0 and "participants"."max_points") NOT VALID;--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_points_whole" CHECK ("participants"."points" is null or "participants"."max_points" is not null) NOT VALID;
