/** PostgreSQL's "data exception": the message quotes the input. */
const DATA_EXCEPTION = /^22/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Where Drizzle begins to list the values in its message. They continue to its end. */
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
export function describeError(error: unknown, depth = 0): unknown {
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
