import { useLocation } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { PARTICIPANT } from '../../../../testing/record-rows.ts';
import { show, wordsIn, wordsOf } from '../../../../testing/shown.tsx';
import { RecordPlaces } from './record-places.tsx';

const listed = (ids: string[], search = '?review=open', total = ids.length) => ({
  state: { search, ids, total },
});

describe('the position of a record in the list', () => {
  test('links back and to both neighbors', async () => {
    const { container } = await show(<RecordPlaces id="p" />, listed(['a', 'p', 'b']));
    expect(wordsIn(container)).toBe('Participant Management Previous 2 of 3 Next');
    for (const [name, href] of [
      ['Participant Management', '/admin/participants?review=open'],
      ['Previous', '/admin/participants/a'],
      ['Next', '/admin/participants/b'],
    ] as const) {
      await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', href);
    }
  });

  test('ends with the list', async () => {
    await show(<RecordPlaces id="p" />, listed(['a', 'p']));
    await expect.element(page.getByRole('link', { name: 'Previous' })).toBeVisible();
    expect(page.getByRole('link', { name: 'Next' }).elements()).toEqual([]);
  });

  test('is hidden for a record that is not in the list', async () => {
    const words = (given?: ReturnType<typeof listed>) => wordsOf(<RecordPlaces id="p" />, given);
    expect(await words(listed(['x', 'y']))).toBe('Participant Management');
    expect(await words()).toBe('Participant Management');
  });

  test('continues the numbers of the previous page', async () => {
    const second = listed(['a', 'p'], '?page=2&rows=10', 12);
    expect(await wordsOf(<RecordPlaces id="p" />, second)).toContain('Previous 12 of 12 Next');
  });

  test('goes on past the end of its page of the list', async () => {
    const rows = ['a', 'p', 'q'].map((id) => ({ ...PARTICIPANT, id }));
    vi.stubGlobal('fetch', async () => Response.json(rows));
    await show(<RecordPlaces id="p" />, listed(['a', 'p'], '?review=open&rows=5', 3));
    await expect
      .element(page.getByRole('link', { name: 'Next' }))
      .toHaveAttribute('href', '/admin/participants/q');
  });

  test("opens the current record's neighbor by key right after navigation", async () => {
    const { container } = await show(<Opened />, listed(['a', 'b', 'c', 'd']));
    const press = () =>
      window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyN', altKey: true }));
    // Called once React has rendered the new record, before any of its effects.
    const written = new MutationObserver(() => {
      if (wordsIn(container).includes('2 of 4')) press();
    });
    written.observe(container, { subtree: true, childList: true, characterData: true });
    press();
    await expect.poll(() => wordsIn(container)).toContain('3 of 4');
    written.disconnect();
  });

  test.each([
    ['left to the text on a Mac, where Option+N types', 'Macintosh; Intel Mac OS X 10_15_7', true],
    ['for a neighbor elsewhere, also in a text', 'X11; Linux x86_64', false],
  ])('Alt+N is %s', async (_, system, isTyped) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${system})`);
    await show(
      <>
        <Opened />
        <textarea aria-label="Note" />
      </>,
      listed(['a', 'b']),
    );
    const pressed = new KeyboardEvent('keydown', {
      ...{ code: 'KeyN', altKey: true, bubbles: true, cancelable: true },
    });
    page.getByRole('textbox', { name: 'Note' }).element().dispatchEvent(pressed);
    expect(pressed.defaultPrevented).toBe(!isTyped);
  });
});

/** The record in the URL; initially the first of the list. */
function Opened() {
  const id = useLocation().pathname.split('/').pop();
  return <RecordPlaces id={id === undefined || id === '' ? 'a' : id} />;
}
