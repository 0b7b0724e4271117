-- The one way of folding case in searches, the same under every locale of the database: by Unicode's root locale, and
-- I, i, İ and ı are one letter, as are ß and ss, σ and ς, µ and μ, ſ and s. Texts in ASCII, which are most, take the
-- quick way.
CREATE FUNCTION "fold_case"(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN octet_length($1) = char_length($1) THEN lower($1 COLLATE "C")
  ELSE replace(replace(replace(replace(replace(replace(lower($1 COLLATE "und-x-icu"),
    'ß', 'ss'), 'ς', 'σ'), 'ı', 'i'), U&'\0307', ''), 'µ', 'μ'), 'ſ', 's') COLLATE "C" END;--> statement-breakpoint
-- Declared immutable: its parts are for these types, but PostgreSQL calls the general ones stable.
CREATE OR REPLACE FUNCTION "person_search_text"(email text, given text, family text, number text, groups text[], fields jsonb)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  fold_case(concat_ws(E'\n', email, nullif(given || ' ' || family, ' '), nullif(family || ' ' || given, ' '), number,
    nullif(array_to_string(groups, E'\n'), ''), (SELECT string_agg(f.value, E'\n') FROM jsonb_each_text(fields) f)));--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "search_text";--> statement-breakpoint
-- large table: every search reads it; 100,000 people are written again in seconds.
ALTER TABLE "users" ADD COLUMN "search_text" text GENERATED ALWAYS AS (person_search_text(email, given_name, family_name, external_id, groups, fields)) STORED NOT NULL;
