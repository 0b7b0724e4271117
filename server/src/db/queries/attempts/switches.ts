import { type SQL, sql } from 'drizzle-orm';

/**
 * What was arranged for the person about sensors: the attempt's own switch, or that of its invitation if
 * a process of an earlier version began it.
 *
 * @param attempt how the statement calls the table of attempts
 */
export function sensorSwitch(
  name: 'camera_enabled' | 'microphone_enabled' | 'face_covered',
  attempt: 'participants' | 'p',
): SQL<boolean> {
  const [column, of] = [sql.identifier(name), sql.identifier(attempt)];
  return sql<boolean>`coalesce(${of}.${column}, (
    select i.${column} from invitations i where i.id = ${of}.invitation_id))`;
}
