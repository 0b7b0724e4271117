import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ApiError, ConnectionError } from '../../../net/api.ts';
import { show, wordsIn } from '../../../testing/shown.tsx';
import { otherNoteIn } from '../../data/record.ts';
import { StaleNoteNotice } from './stale-note-notice.tsx';

const refusal = (code: string, details?: Record<string, unknown>) =>
  new ApiError({ status: 409, code, sentence: 's', details });

test('reads the other note from the refusal', () => {
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

test('shows both notes and can replace the stored one', async () => {
  const onTakeTheirs = vi.fn();
  const { container, rerender } = await show(
    <StaleNoteNotice theirs={'One\nTwo'} onTakeTheirs={onTakeTheirs} />,
  );
  // Line breaks are preserved.
  expect(container.textContent).toContain('One\nTwo');
  expect(wordsIn(container)).toContain('Your text is still here');
  await page.getByRole('button', { name: 'Use their note' }).click();
  expect(onTakeTheirs).toHaveBeenCalledOnce();
  await rerender(<StaleNoteNotice theirs="" onTakeTheirs={onTakeTheirs} />);
  expect(wordsIn(container)).toContain('They cleared it.');
});
