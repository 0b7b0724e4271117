import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';
import { describeError } from './log-error.ts';

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
