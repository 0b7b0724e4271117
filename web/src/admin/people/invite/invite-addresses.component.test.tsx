import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../../testing/shown.tsx';
import { InviteAddresses, validateInviteLines } from './invite-addresses.tsx';

const codesOf = (text: string) => [...text].map((c) => c.charCodeAt(0));

test.each([
  ['windows-1252', Uint8Array.from(codesOf('Müller;a@example.org\n'))],
  ['UTF-16', new Uint8Array(Uint16Array.from(codesOf('\ufeffMüller <a@example.org>\n')).buffer)],
])('takes addresses from a list in %s', async (_, bytes) => {
  const onText = vi.fn();
  await show(
    <InviteAddresses
      text=""
      lines={validateInviteLines('')}
      fields={[]}
      onText={onText}
      onSheet={() => undefined}
    />,
  );
  await page.getByLabelText('Add from a CSV or Excel file').upload(new File([bytes], 'people.csv'));
  const change = () => onText.mock.calls.map(([to]) => to(''));
  await expect.poll(change).toEqual(['a@example.org']);
});
