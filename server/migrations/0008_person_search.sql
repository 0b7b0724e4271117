-- Declared immutable: its parts are for these types, but PostgreSQL calls the general ones stable.
CREATE FUNCTION "person_search_text"(email text, given text, family text, number text, groups text[], fields jsonb)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(concat_ws(E'\n', email, nullif(given || ' ' || family, ' '), nullif(family || ' ' || given, ' '), number,
    nullif(array_to_string(groups, E'\n'), ''), (SELECT string_agg(f.value, E'\n') FROM jsonb_each_text(fields) f))
    COLLATE "und-x-icu")
$$;--> statement-breakpoint
-- large table: every search reads it; 100,000 people are written again in seconds.
ALTER TABLE "users" ADD COLUMN "search_text" text GENERATED ALWAYS AS (person_search_text(email, given_name, family_name, external_id, groups, fields)) STORED NOT NULL;
