import { setLanguage } from '@invigil/core/contract/accounts/auth';
import { isLanguage } from '@invigil/core/texts/languages';
import { logProblem } from '../lib/problem-log.ts';
import { callEndpoint, inTime } from './api.ts';

/** Another device of who is signed in goes on in this language; without a connection only this one does. */
export function rememberLanguage(tag: string): void {
  if (!isLanguage(tag)) return;
  callEndpoint(setLanguage, { body: { language: tag }, signal: inTime() }).catch((cause) =>
    logProblem('The language was not stored', cause),
  );
}
