CREATE TABLE "done_deeds" (
	"deed_id" uuid NOT NULL,
	"participant_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "done_deeds_deed_id_participant_id_pk" PRIMARY KEY("deed_id","participant_id")
);
--> statement-breakpoint
ALTER TABLE "done_deeds" ADD CONSTRAINT "done_deeds_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;