import { expect, test } from 'vitest';
import { ApiError, ConnectionError } from '../../net/api.ts';
import { draw, wordsOf } from '../../testing/drawn.tsx';
import { otherNoteIn, StaleNoteNotice } from './stale-note-notice.tsx';

const refusal = (code: string, details?: Record<string, unknown>) =>
  new ApiError({ status: 409, code, sentence: 's', details });

test('the other note is taken from the refusal that brings one', () => {
  expect(otherNoteIn(refusal('STALE', { note: 'Theirs' }))).toBe('Theirs');
  expect(otherNoteIn(refusal('STALE', { note: '' }))).toBe('');
  for (const error of [
    refusal('STALE'),
    refusal('STALE', { note: 1 }),
    refusal('NOT_FOUND', { note: 'x' }),
    new ConnectionError('unreachable', null),
  ]) {
    expect(otherNoteIn(error)).toBeUndefined();
  }
});

test('it stands beside what was typed, line by line, and can be taken instead', () => {
  const markup = draw(<StaleNoteNotice theirs={'One\nTwo'} onTakeTheirs={() => undefined} />);
  expect(markup).toContain('One\nTwo');
  expect(wordsOf(markup)).toContain('What you typed is still here');
  expect(wordsOf(markup)).toContain('Use their note');
  const emptied = draw(<StaleNoteNotice theirs="" onTakeTheirs={() => undefined} />);
  expect(wordsOf(emptied)).toContain('They emptied it.');
});
