CREATE TABLE "preview_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"quiz_id" uuid NOT NULL,
	"admin_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"token_hash" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "preview_codes_one" UNIQUE("admin_id","quiz_id")
);
--> statement-breakpoint
ALTER TABLE "preview_codes" ADD CONSTRAINT "preview_codes_quiz_id_quizzes_id_fk" FOREIGN KEY ("quiz_id") REFERENCES "public"."quizzes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_codes" ADD CONSTRAINT "preview_codes_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "preview_codes_code" ON "preview_codes" USING btree ("code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "preview_codes_token" ON "preview_codes" USING btree ("token_hash");