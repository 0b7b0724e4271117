ALTER TABLE "users" ADD COLUMN "given_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "family_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "groups" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "language" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "former_emails" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- large table: all rows have the same value, so that 100,000 people take a tenth of a second
CREATE UNIQUE INDEX "users_external_id_key" ON "users" USING btree ("external_id");--> statement-breakpoint
-- large table: all rows have the same value, so that 100,000 people take a tenth of a second
CREATE INDEX "users_groups" ON "users" USING gin ("groups");