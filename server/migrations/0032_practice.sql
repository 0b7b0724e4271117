ALTER TABLE "quizzes" ADD COLUMN "practice_token" text;--> statement-breakpoint
ALTER TABLE "quizzes" ADD COLUMN "practice_quiz_id" uuid;--> statement-breakpoint
ALTER TABLE "quizzes" ADD CONSTRAINT "quizzes_practice_quiz_id_quizzes_id_fk" FOREIGN KEY ("practice_quiz_id") REFERENCES "public"."quizzes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quizzes" ADD CONSTRAINT "quizzes_practice_token_unique" UNIQUE("practice_token");