import { type SQL, sql } from 'drizzle-orm';

/**
 * Whether a sensor is asked for in an attempt: the attempt's own switch, or that of its invitation where
 * a process of an earlier version began it.
 *
 * @param attempt how the statement calls the table of attempts
 */
export function sensorSwitch(
  name: 'camera_enabled' | 'microphone_enabled',
  attempt: 'participants' | 'p',
): SQL<boolean> {
  const [column, of] = [sql.identifier(name), sql.identifier(attempt)];
  return sql<boolean>`coalesce(${of}.${column}, (
    select i.${column} from invitations i where i.id = ${of}.invitation_id))`;
}
