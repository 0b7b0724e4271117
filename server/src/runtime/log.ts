import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

/** Pino's numbers, as people read them. */
const NAMES: Record<number, string> = { 30: '', 40: 'warning: ', 50: 'error: ', 60: 'fatal: ' };
const INFO = 30;
/** Fields of every line that a person at a terminal does not need. */
const ENVELOPE = ['level', 'time', 'pid', 'hostname', 'msg'];

/**
 * The log of the process, on standard output: one JSON object per line for machines, plain text for a
 * terminal. Written synchronously, so that the last line before an exit is not lost. Errors are logged
 * without the data involved.
 *
 * @param destination instead of standard output
 */
export function createLog(level: LogLevel, destination?: { write(line: string): void }): Logger {
  const options = { level, serializers: { err: (error: unknown) => describeError(error) } };
  if (destination) return pino(options, destination);
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, { write: (line) => process.stdout.write(forPeople(line)) });
}

/** `10:11:12 warning: what happened {"detail":1}` */
export function forPeople(line: string): string {
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== 'object' || entry === null) return line;
  const fields = new Map<string, unknown>(Object.entries(entry));
  const level = Number(fields.get('level'));
  const time = new Date(Number(fields.get('time'))).toTimeString().slice(0, 8);
  const details = Object.fromEntries([...fields].filter(([name]) => !ENVELOPE.includes(name)));
  // Details matter when something is wrong; otherwise the message is enough.
  const shown =
    level > INFO && Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : '';
  return `${time} ${NAMES[level] ?? ''}${String(fields.get('msg') ?? '')}${shown}\n`;
}

/** PostgreSQL's "data exception": the message quotes the input. */
const DATA_EXCEPTION = /^22/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Begins the list of values in a message of Drizzle. They continue to its end. */
const PARAMETERS = '\nparams: ';
const ADDRESS = /[^\s<>"'`(),;:/@\\]+@[^\s<>"'`(),;:/@\\]+/g;
/** Fields that are safe to log: texts of systems, never of people. */
const PLAIN_FIELDS = [
  'code',
  'errno',
  'syscall',
  'port',
  'command',
  'responseCode',
  'statusCode',
  'severity',
  'routine',
  'schema',
  'table',
  'column',
  'constraint',
  'query',
];
/** A cause of a cause of … */
const DEEPEST = 6;

/**
 * An error as logged: what went wrong and where, without the data involved. A failed query carries its
 * parameters (addresses, hashes, sealed codes), PostgreSQL's own fields `detail` and `where` whole rows,
 * and a mail server's response names the recipient.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutData(error) : error;
  const fields = PLAIN_FIELDS.flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
  const message = messageOf(error);
  const deeper = depth < DEEPEST;
  return {
    type: error.constructor.name,
    message,
    stack: stackOf(error, message),
    ...Object.fromEntries(fields),
    ...(deeper && error.cause !== undefined
      ? { cause: describeError(error.cause, depth + 1) }
      : {}),
    ...(deeper && error instanceof AggregateError
      ? { errors: error.errors.map((one) => describeError(one, depth + 1)) }
      : {}),
  };
}

function messageOf(error: Error): string {
  const message = withoutData(error.message);
  const code: unknown = Reflect.get(error, 'code');
  const isData = typeof code === 'string' && SQLSTATE.test(code) && DATA_EXCEPTION.test(code);
  // `invalid input syntax for type uuid: "what was given"`
  return isData ? message.replace(/["“].*/s, '…') : message;
}

function withoutData(text: string): string {
  const [safe = ''] = text.split(PARAMETERS, 1);
  return safe.replace(ADDRESS, '[address]');
}

/** Only the frames are copied: the lines above them repeat the message. */
function stackOf(error: Error, message: string): string {
  const { stack = '' } = error;
  const from = stack.indexOf(error.message);
  const frames = from < 0 ? '' : stack.slice(from + error.message.length);
  return `${error.name}: ${message}${/^\s+at /.test(frames) ? frames : ''}`;
}
