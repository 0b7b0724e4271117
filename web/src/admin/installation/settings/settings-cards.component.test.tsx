import type { ReactElement } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createQueryClient } from '../../../net/query-client.ts';
import { ADMIN, refusal } from '../../../testing/fixtures.ts';
import { show, showWithToasts, wordsIn } from '../../../testing/shown.tsx';
import { hasUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { AdminsCard } from './admins-card.tsx';
import { AuditCard } from './audit-card.tsx';
import { InstitutionCard } from './institution-card.tsx';
import { OutboxCard } from './outbox-card.tsx';
import { RetentionCard } from './retention-card.tsx';
import { SmtpCard } from './smtp-settings-form.tsx';
import { SystemCard } from './system-card.tsx';

/** The server's answers by method and path; a write receives its body, a read its query. */
let server: Record<string, (sent: Record<string, string>) => Response | Promise<Response>>;

beforeEach(() => {
  server = {};
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, location.href);
    const sent = body ? JSON.parse(String(body)) : Object.fromEntries(searchParams);
    return (await server[`${method} ${pathname}`]?.(sent)) ?? new Response('', { status: 500 });
  });
});

const open = (card: ReactElement) => showWithToasts(card, { account: ADMIN });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabelText(name, { exact: true });
const told = (words: string) =>
  expect.poll(() => document.querySelector('[data-toaster]')?.textContent).toContain(words);
const described = (at: ReturnType<typeof field>, words: string | RegExp) =>
  expect.element(at).toHaveAccessibleDescription(words);

const admin = (id: string, email: string, lastSignInAt: string | null = null) => ({
  ...{ id, email, lastSignInAt, createdAt: '2026-05-04T09:00:00Z', hasTotp: false },
  ...{ name: '', grants: [{ role: 'owner' }] },
});

test('administrators are added, refused and deleted, with a reason where one cannot be', async () => {
  const own = admin('a', ADMIN.user.email, new Date().toISOString());
  let admins = [own];
  server['GET /api/admins'] = () => Response.json(admins);
  server['POST /api/admins'] = ({ email = '' }) => {
    if (email === own.email) return refusal(409, 'ADMIN_EXISTS', { message: 'Exists already' });
    const added = admin('b', email);
    admins = [own, added];
    return Response.json(added, { status: 201 });
  };
  let deletes = 0;
  server['DELETE /api/admins/b'] = () => {
    deletes += 1;
    if (deletes === 1) return refusal(404, 'NOT_FOUND');
    admins = [own];
    return new Response(null, { status: 204 });
  };
  await open(<AdminsCard />);
  const rows = page.getByRole('listitem');
  const deleteOwn = button(`Delete ${own.email}`);
  await described(deleteOwn, 'The last administrator cannot be deleted');
  await expect.element(deleteOwn).toHaveAttribute('aria-disabled', 'true');
  expect(rows.element().textContent).toBe(
    `${own.email} (you)Created 4 May 2026 · last sign-in just now`,
  );
  await button('Add Admin').click();
  const dialog = page.getByRole('dialog', { name: 'Add Admin' });
  const add = dialog.getByRole('button', { name: 'Add Admin' });
  const password = dialog.getByLabelText('Password', { exact: true });
  await dialog.getByLabelText('Email').fill(own.email);
  await password.fill('short');
  await add.click();
  await expect.element(dialog.getByText('At least 12 characters', { exact: true })).toBeVisible();
  await password.fill('another quiet desk');
  await add.click();
  await told('Failed to create adminPlease check the data and try again.');
  await expect.element(page.getByRole('alert')).toBeVisible();
  await described(dialog.getByLabelText('Email'), 'Exists already');
  await expect.element(password).toHaveValue('another quiet desk');
  await dialog.getByLabelText('Email').fill('second@example.org');
  await add.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => rows.elements().length).toBe(2);
  expect(rows.nth(1).element().textContent).toBe(
    'second@example.orgCreated 4 May 2026 · never signed in',
  );
  await described(deleteOwn, 'You cannot delete your own account');

  // Another administrator was faster at first.
  const confirm = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  for (const sentence of ['Failed to delete admin', 'Admin deletedsecond@example.org']) {
    await button('Delete second@example.org').click();
    expect(wordsIn(confirm)).toContain('second@example.org');
    await confirm.getByRole('button', { name: 'Delete' }).click();
    await told(sentence);
  }
  await expect.poll(() => rows.elements().length).toBe(1);
});

test('an administrator changes their password; a wrong current one is reported at its field', async () => {
  server['GET /api/admins'] = () => Response.json([]);
  server['PUT /api/admins/me/password'] = ({ currentPassword }) =>
    currentPassword === 'right'
      ? Response.json(admin('a', 'a@example.org'))
      : refusal(403, 'WRONG_PASSWORD');
  await open(<AdminsCard />);
  await button('Change password').click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  const send = dialog.getByRole('button', { name: 'Change password' });
  await field('Current password').fill('not this one');
  await field('New password').fill('another quiet desk');
  await send.click();
  await told('Failed to change the password');
  await expect.element(field('Current password')).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field('New password')).toHaveValue('another quiet desk');
  await field('Current password').fill('right');
  await send.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await told('Password changedYou have been signed out on other devices.');
});

test('the institution: empty fields are what is configured, and the address is checked', async () => {
  const configured = { timeZone: 'Europe/Berlin', publicUrl: 'http://localhost:3000' };
  const saved: unknown[] = [];
  let stored: object = { name: null, timeZone: null, publicUrl: null, configured };
  server['GET /api/institution'] = () => Response.json(stored);
  server['PUT /api/institution'] = (sent) => {
    saved.push(sent);
    stored = { ...stored, ...sent };
    return Response.json(stored);
  };
  let leadsHere = false;
  server['POST /api/institution/check'] = () => Response.json({ leadsHere });
  await open(<InstitutionCard />);
  await described(field('Public address (optional)'), /Empty: http:\/\/localhost:3000/);
  await expect.element(page.getByText('Candidates cannot open this address')).toBeVisible();
  await field('Time zone (optional)').fill('Berlin');
  await field('Public address (optional)').fill('exams.example.org');
  await button('Save institution').click();
  await described(field('Time zone (optional)'), 'Select a time zone');
  await described(field('Public address (optional)'), /^Enter https/);
  expect(saved).toEqual([]);

  await field('Time zone (optional)').fill('Asia/Tokyo');
  await field('Public address (optional)').fill('http://exams.example.org');
  await expect.element(page.getByText('Camera and microphone will not work')).toBeVisible();
  await field('Public address (optional)').fill('https://exams.example.org/');
  await expect.element(page.getByText(/Ask IT to set PUBLIC_URL=https:/)).toBeVisible();
  await button('Check address').click();
  await expect.element(page.getByText('Invigil did not find itself there')).toBeVisible();
  leadsHere = true;
  await button('Check address').click();
  // One verdict: it answers, and people cannot sign in there yet.
  await expect
    .element(page.getByText(/^Invigil answers at it, but that is not enough/))
    .toBeVisible();
  await expect.element(page.getByText('This address leads here')).not.toBeInTheDocument();
  await expect.element(page.getByText('Invigil did not find itself there')).not.toBeInTheDocument();
  await button('Save institution').click();
  await told('Institution saved');
  const publicUrl = 'https://exams.example.org';
  const before = { name: null, timeZone: null, publicUrl: null };
  expect(saved).toEqual([{ name: null, timeZone: 'Asia/Tokyo', publicUrl, before }]);
  await expect.poll(hasUnsaved).toBe(false);
  await expect.element(field('Public address (optional)')).toHaveValue(publicUrl);

  // Text that is typed while a save is under way stays, and is not saved.
  const answer = Promise.withResolvers<Response>();
  server['PUT /api/institution'] = () => answer.promise;
  await field('Name (optional)').fill(' Example ');
  await field('Time zone (optional)').fill('Europe/Paris');
  await button('Save institution').click();
  await field('Time zone (optional)').fill('Europe/Rome');
  answer.resolve(Response.json({ ...stored, name: 'Example', timeZone: 'Europe/Paris' }));
  await expect.element(field('Name (optional)')).toHaveValue('Example');
  await expect.element(field('Time zone (optional)')).toHaveValue('Europe/Rome');
  expect(hasUnsaved()).toBe(true);
});

test('the logo is stored as soon as it is selected, and removed again', async () => {
  const configured = { timeZone: 'UTC', publicUrl: 'https://exams.example.org' };
  const own = { name: 'Example', timeZone: null, publicUrl: null };
  let stored: object = { ...own, configured };
  const saved: unknown[] = [];
  server['GET /api/institution'] = () => Response.json(stored);
  server['POST /api/images'] = () =>
    Response.json(
      { hash: 'a'.repeat(64), mediaType: 'image/webp', width: 9, height: 9, bytes: 9 },
      { status: 201 },
    );
  server['PUT /api/institution'] = (sent) => {
    saved.push(sent);
    stored = { ...own, configured, ...(sent.logo === null ? {} : { logo: sent.logo }) };
    return Response.json(stored);
  };
  await open(<InstitutionCard />);
  await field('Logo').upload(new File(['x'], 'logo.png', { type: 'image/png' }));
  await told('Logo saved');
  await button('Remove logo').click();
  await told('Logo removed');
  const logo = 'a'.repeat(64);
  expect(saved).toEqual([
    { ...own, before: { ...own, logo: null }, logo },
    { ...own, before: { ...own, logo }, logo: null },
  ]);
});

test('the languages of candidates are stored as soon as they are chosen, the first one too', async () => {
  const configured = { timeZone: 'UTC', publicUrl: 'https://exams.example.org' };
  const own = { name: 'Example', timeZone: null, publicUrl: null };
  let stored: object = { ...own, configured };
  const saved: unknown[] = [];
  server['GET /api/institution'] = () => Response.json(stored);
  server['PUT /api/institution'] = (sent) => {
    saved.push([sent.before, sent.languages]);
    stored = { ...own, configured, languages: sent.languages };
    return Response.json(stored);
  };
  await open(<InstitutionCard />);
  const language = (name: string) => page.getByRole('checkbox', { name });
  await expect.element(language('Deutsch')).not.toBeChecked();
  await language('Deutsch').click();
  await told('Languages saved');
  await expect.element(language('Deutsch')).toBeChecked();
  await page.getByRole('combobox', { name: 'First language' }).click();
  await page.getByRole('option', { name: 'Deutsch' }).click();
  await expect.poll(() => saved.length).toBe(2);
  await expect
    .element(page.getByRole('combobox', { name: 'First language' }))
    .toHaveTextContent('Deutsch');
  await language('Deutsch').click();
  await expect.poll(() => saved.length).toBe(3);
  const before = (languages: string[]) => ({ ...own, languages });
  expect(saved).toEqual([
    [before(['en']), ['en', 'de']],
    [before(['en', 'de']), ['de', 'en']],
    [before(['de', 'en']), ['en']],
  ]);
});

const MAIL = {
  ...{ id: 's', host: 'mail.example.org', port: 587, username: 'invigil', hasPassword: true },
  ...{ fromEmail: 'assessments@example.org', isActive: true, testedAt: null },
};

const SETTING = 'SMTP_ALLOWED_HOSTS=relay.example.org,169.254.169.254';

test('the mail server: every field is required, refused at its place, tried with a test message', async () => {
  server['GET /api/smtp-settings'] = () => Response.json(null);
  server['PUT /api/smtp-settings'] = ({ host }) =>
    host === MAIL.host
      ? Response.json(MAIL)
      : refusal(400, 'FORBIDDEN_HOST', { details: { setting: SETTING } });
  server['GET /api/outbox'] = () => Response.json([]);
  let delivered = false;
  const tests: unknown[] = [];
  server['POST /api/smtp-settings/test'] = (sent) => {
    tests.push(sent);
    const message = `To ${sent.to}.`;
    return Response.json({ delivered, message, stage: 'connection', serverAnswer: null });
  };
  await open(<SmtpCard />);
  await expect.element(field('Port')).toHaveValue(587);
  await field('Port').fill('');
  await button('Save SMTP settings').click();
  await described(field('Host'), 'Enter a host');
  await described(field('Port'), 'Enter a port');
  await described(field('Username'), 'Enter a username');
  await expect.element(field('Password')).toHaveAccessibleDescription(/^Enter a password/);
  await expect.element(field('From Email')).toHaveAccessibleDescription(/^Enter an email address/);
  await expect.element(field('Host')).toHaveFocus();
  await field('Host').fill('169.254.169.254');
  await field('Port').fill('587');
  await field('Username').fill(MAIL.username);
  await field('Password').fill('a secret of the mail server');
  await field('From Email').fill(MAIL.fromEmail);
  await button('Save SMTP settings').click();
  await told('Failed to update SMTP settingsPlease check your configuration and try again.');
  await expect.element(field('Host')).toHaveAttribute('aria-invalid', 'true');
  // The message explains it to administrators who cannot change it, with a setting to copy for those who can.
  await expect.element(page.getByText('IT has to allow this mail server')).toBeVisible();
  await expect.element(page.getByText(SETTING)).toBeVisible();
  await expect.element(field('Password')).toHaveValue('a secret of the mail server');
  expect(hasUnsaved()).toBe(true);

  // The settings are tested before they are saved.
  await field('Host').fill(MAIL.host);
  await button('Send test message').click();
  await expect.element(page.getByText('No connection to the server')).toBeVisible();
  const password = 'a secret of the mail server';
  const { host, port, username, fromEmail } = MAIL;
  const settings = { host, port, username, password, fromEmail };
  expect(tests).toEqual([{ to: ADMIN.user.email, settings }]);
  await button('Save SMTP settings').click();
  await told('SMTP settings updated');
  server['GET /api/smtp-settings'] = () => Response.json(MAIL);
  await expect.element(field('Password')).toHaveValue('');
  expect(hasUnsaved()).toBe(false);
  // Not the result of what is entered now.
  await expect.element(page.getByText('No connection to the server')).not.toBeInTheDocument();
  delivered = true;
  await field('Test message to').fill('operator@example.org');
  await button('Send test message').click();
  await expect
    .element(page.getByRole('status').getByText('To operator@example.org.'))
    .toBeVisible();
});

test.each([
  ['Save and send now', true, 'Waiting messages go out now.'],
  ['Save, keep waiting', false, '117 messages wait in the outbox'],
])('saving asks whether what waits goes out: %s', async (answer, isActive, words) => {
  server['GET /api/smtp-settings'] = () => Response.json({ ...MAIL, isActive: false });
  server['GET /api/outbox'] = ({ state }) =>
    Response.json([], { headers: { 'x-total-count': state === 'queued' ? '117' : '900' } });
  const saved: unknown[] = [];
  server['PUT /api/smtp-settings'] = (sent) => {
    saved.push(sent.isActive);
    return Response.json({ ...MAIL, isActive: sent.isActive });
  };
  await open(<SmtpCard />);
  await expect.element(page.getByText('Not sending')).toBeVisible();
  await button('Save SMTP settings').click();
  await expect.element(page.getByRole('dialog', { name: /^117 messages wait/ })).toBeVisible();
  expect(saved).toEqual([]);
  await button(answer).click();
  await told(words);
  expect(saved).toEqual([isActive]);
});

test('messages that were kept waiting go out when the outbox is told to', async () => {
  let mail = { ...MAIL, isActive: false };
  server['GET /api/smtp-settings'] = () => Response.json(mail);
  server['GET /api/outbox'] = () =>
    Response.json([
      {
        ...{ id: 'm', recipient: 'a@example.org', subject: 'Your assessment', state: 'queued' },
        ...{ attempts: 0, lastError: null, createdAt: '2026-05-04T09:00:00Z', sentAt: null },
        nextAttemptAt: null,
      },
    ]);
  const saved: unknown[] = [];
  server['PUT /api/smtp-settings'] = (sent) => {
    saved.push(sent);
    mail = { ...MAIL, isActive: true };
    return Response.json(mail);
  };
  await open(<OutboxCard />);
  await button('Start sending').click();
  await told('Sending has started');
  const { host, port, username, fromEmail } = MAIL;
  const before = { host, port, username, fromEmail, isActive: false };
  expect(saved).toEqual([{ ...before, isActive: true, before }]);
  await expect.element(button('Start sending')).not.toBeInTheDocument();
});

test('mail settings that someone else has saved are taken, and changed from there', async () => {
  server['GET /api/smtp-settings'] = () => Response.json(MAIL);
  server['GET /api/outbox'] = () => Response.json([]);
  const { host, port, username, fromEmail } = MAIL;
  const theirs = { host: 'theirs.example.org', port, username, fromEmail, isActive: true };
  const sent: Record<string, unknown>[] = [];
  server['PUT /api/smtp-settings'] = (body) => {
    sent.push(body);
    return sent.length === 1
      ? refusal(409, 'STALE', { details: { stored: theirs, by: 'Grace' } })
      : Response.json({ ...MAIL, ...theirs, fromEmail: 'exams@example.org' });
  };
  await open(<SmtpCard />);
  await field('From Email').fill('typed@example.org');
  await button('Save SMTP settings').click();
  await expect.element(page.getByText('Grace has changed this mail server')).toBeVisible();
  await button('Use their version').click();
  await expect.element(field('Host')).toHaveValue(theirs.host);
  await field('From Email').fill('exams@example.org');
  await field('Password').fill('secret');
  await button('Save SMTP settings').click();
  await told('SMTP settings updated');
  expect(sent.map(({ before }) => before)).toEqual([
    expect.objectContaining({ host, fromEmail }),
    expect.objectContaining(theirs),
  ]);
});

test('mail settings are read again on return, and typed input stays', async () => {
  const client = createQueryClient();
  server['GET /api/smtp-settings'] = () => Response.json(MAIL);
  const { unmount } = await show(<SmtpCard />, { client });
  await expect.element(field('Host')).toHaveValue(MAIL.host);
  await unmount();
  const read = Promise.withResolvers<Response>();
  server['GET /api/smtp-settings'] = () => read.promise;
  await showWithToasts(<SmtpCard />, { client });
  await field('From Email').fill('exams@example.org');
  const fresh = { ...MAIL, host: 'post.example.org' };
  read.resolve(Response.json(fresh));
  await expect.element(field('Host')).toHaveValue('post.example.org');
  await expect.element(field('From Email')).toHaveValue('exams@example.org');

  // Typed while it is being saved.
  const saved = Promise.withResolvers<Response>();
  server['PUT /api/smtp-settings'] = () => saved.promise;
  await field('Password').fill('again');
  await button('Save SMTP settings').click();
  await field('Username').fill('someone else');
  saved.resolve(Response.json({ ...fresh, fromEmail: 'exams@example.org' }));
  await told('SMTP settings updated');
  await expect.element(field('Username')).toHaveValue('someone else');
  await expect.element(field('From Email')).toHaveValue('exams@example.org');
  await button('Undo changes').click();
  await expect.element(field('Username')).toHaveValue(MAIL.username);
});

test('System Information shows the actual state', async () => {
  const system = {
    ...{ platformVersion: '1.0.0', adminCount: 1, emailConfigured: false, timeZone: 'UTC' },
    database: { status: 'connected', version: '18.1', sizeBytes: 9_437_184, embedded: true },
    securityFeatures: [
      { name: 'Encrypted connection', active: false, detail: 'HTTP' },
      { name: 'Administrator passwords', active: true, detail: 'scrypt' },
    ],
    audit: { sealed: 3, waiting: 0 },
  };
  server['GET /api/system'] = () => Response.json(system);
  const first = await show(<SystemCard />);
  await expect.element(page.getByText('Platform version')).toBeVisible();
  expect(wordsIn(first.container)).toContain(
    'Platform version 1.0.0 Database Connected PostgreSQL 18.1, embedded, 9.0 MiB Admin accounts 1 ' +
      'Email service Not Configured Time zone UTC Audit entries 3 Security features ' +
      'Encrypted connection HTTP Not active Administrator passwords scrypt Active',
  );
  await expect
    .element(page.getByRole('link', { name: /^API documentation/ }))
    .toHaveAttribute('href', '/api/docs');
  await first.unmount();
  system.emailConfigured = true;
  system.database.status = 'unavailable';
  await show(<SystemCard />);
  await expect.element(page.getByText('Configured', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Unavailable')).toBeVisible();
});

test('a shorter retention needs confirmation', async () => {
  server['GET /api/retention'] = () => Response.json({ days: 90 });
  const sent: unknown[] = [];
  server['PUT /api/retention'] = (body) => {
    sent.push(body);
    return Response.json(body);
  };
  await open(<RetentionCard />);
  const days = field('Keep monitoring data for (days)');
  await expect.element(days).toHaveValue('90');
  await expect.element(button('Save retention')).toHaveAttribute('aria-disabled', 'true');
  await days.fill('0');
  await button('Save retention').click();
  await expect.element(days).toHaveAccessibleDescription(/1 to 3650 days/);
  await days.fill('120');
  await button('Save retention').click();
  await told('Retention saved');
  await days.fill('30');
  await button('Save retention').click();
  const asks = page.getByRole('alertdialog', { name: 'Keep monitoring data for a shorter time?' });
  await expect.element(asks).toBeVisible();
  expect(sent).toEqual([{ days: 120, before: 90 }]);
  await asks.getByRole('button', { name: 'Shorten retention' }).click();
  await expect.element(asks).not.toBeInTheDocument();
  expect(sent[1]).toEqual({ days: 30, before: 120 });
  await expect.element(days).toHaveValue('30');
});

test('the audit log is searched, paged and exported', async () => {
  const entry = {
    ...{
      at: '2026-05-04T09:00:00Z',
      action: 'category.created',
      adminEmail: ADMIN.user.email,
      adminId: null,
    },
    ...{ subjectType: 'category', subjectId: 'c', subjectName: 'Law', details: null, number: 4 },
  };
  const found = ({ search, offset }: Record<string, string>) =>
    search === 'nothing' ? [] : offset === '10' ? [1] : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  server['GET /api/audit'] = (query) =>
    Response.json(
      found(query).map((id) => ({ ...entry, id: String(id) })),
      { headers: { 'x-total-count': query.search === 'nothing' ? '0' : '11' } },
    );
  const exported: unknown[] = [];
  server['GET /api/audit/export'] = (query) => {
    exported.push(query);
    return new Response('x');
  };
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await open(<AuditCard />);
  const entries = page.getByRole('listitem');
  await expect.poll(() => entries.elements().length).toBe(10);
  expect(wordsIn(entries.first())).toMatch(
    /^Created a category category\.created Category: Law admin@example\.org .* No\. 4$/,
  );
  await expect.element(page.getByText(/^11 entries/)).toBeVisible();
  await button('Page 2').click();
  await expect.poll(() => entries.elements().length).toBe(1);
  await field('Search the audit log').fill('category.created');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => entries.elements().length).toBe(10);
  await button('Download CSV').click();
  await expect.poll(() => exported).toEqual([{ search: 'category.created' }]);
  await field('Search the audit log').fill('nothing');
  await button('Search').click();
  await expect.element(page.getByText('No entry matches this search.')).toBeVisible();
});
