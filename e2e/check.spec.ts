import { expect, test } from './support/e2e-test.ts';
import { FakeDevices } from './support/fake-devices.ts';
import { browserOf, checkScreen } from './support/screen-checks.ts';

test('anyone checks a device before the assessment: refused, then fine, then offline', {
  tag: '@long',
}, async ({ visitor, consoles }) => {
  consoles.expect(/net::ERR_INTERNET_DISCONNECTED/, /could not be fetched|cannot be reached/);
  const page = await visitor(browserOf('desktop'));
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
  const devices = await FakeDevices.install(page);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Check your device' }).click();
  const main = page.getByRole('main');
  const summary = main.getByRole('status').first();
  await expect(main.getByText('Messages to you arrive at once')).toBeVisible();
  await expect(summary).toContainText('Nothing to mend so far');

  await devices.refuse();
  await page.getByRole('button', { name: 'Check camera and microphone' }).click();
  await expect(summary).toHaveText('2 things to mend');
  const camera = page.getByRole('region', { name: 'Camera' });
  await expect(camera).toContainText('Select the icon beside the address, allow the camera');
  await checkScreen(page, 'desktop', 'check-refused');

  await devices.allow();
  await devices.play('voice');
  const again = page.getByRole('button', { name: 'Check everything again' });
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(main.getByText('Face found')).toBeVisible();
  await expect(main.getByText('Microphone heard you speak')).toBeVisible();
  await expect(summary).toHaveText('Everything works');
  await expect(again).toBeFocused();

  await page.context().setOffline(true);
  await expect(main.getByText('Connection not available')).toBeVisible();
  await expect(summary).toHaveText('1 thing to mend');
  await page.context().setOffline(false);
  await expect(main.getByText('Connection good')).toBeVisible();
  await expect(summary).toHaveText('Everything works');

  await page.getByRole('link', { name: 'Start page' }).click();
  await expect(page.getByRole('heading', { name: 'Assessment Login' })).toBeVisible();
  const kept = await page.evaluate(() =>
    [localStorage, sessionStorage].flatMap((one) => Object.keys(one)),
  );
  // The picture is the fake camera's own.
  expect(kept.filter((name) => name !== 'fake-picture')).toEqual([]);
  expect(sent).toEqual([]);
});

test('a phone is checked without the camera', { tag: '@long' }, async ({ visitor }) => {
  const page = await visitor(browserOf('phone'));
  const devices = await FakeDevices.install(page);
  await page.goto('/check');
  await page.getByRole('button', { name: 'Check the microphone' }).click();
  await devices.play('voice');
  const main = page.getByRole('main');
  await expect(main.getByText('Microphone heard you speak')).toBeVisible();
  await expect(main.getByText('Camera is not used on phones')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Camera' })).toBeHidden();
  await expect(main.getByRole('status').first()).toHaveText('Everything works');
  await checkScreen(page, 'phone', 'check');
});
