import { compileMessage } from '@lingui/message-utils/compileMessage';

const known = new Map<string, ReturnType<typeof compileMessage>>();

/** Compiles texts when they are needed. The web's build has none of it: its texts are compiled. */
export const compiled: typeof compileMessage | undefined = (message) => {
  const before = known.get(message) ?? compileMessage(message);
  known.set(message, before);
  return before;
};
