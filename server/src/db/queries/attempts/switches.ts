import { type SQL, sql } from 'drizzle-orm';

/**
 * A person's sensor accommodations: the attempt's own switch, or its invitation's if a process of an
 * earlier version started it.
 *
 * @param attempt the statement's name for the table of attempts
 */
export function sensorSwitch(
  name: 'camera_enabled' | 'microphone_enabled' | 'face_covered',
  attempt: 'participants' | 'p',
): SQL<boolean> {
  const [column, of] = [sql.identifier(name), sql.identifier(attempt)];
  return sql<boolean>`coalesce(${of}.${column}, (
    select i.${column} from invitations i where i.id = ${of}.invitation_id))`;
}
