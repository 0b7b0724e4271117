import type { SmtpSettings } from '@invigil/core/contract/installation/smtp-settings';
import { describe, expect, test } from 'vitest';
import { smtpFormValuesOf, validateSmtp } from './smtp-settings-form.tsx';

const stored: SmtpSettings = {
  id: 's',
  host: 'smtp.example.org',
  port: 587,
  username: 'mailer',
  hasPassword: true,
  fromEmail: 'assessments@example.org',
  isActive: true,
  testedAt: null,
};
const filled = { ...smtpFormValuesOf(stored), password: 'secret' };
const problemsOf = (values: typeof filled, settings: SmtpSettings | null) => {
  const validated = validateSmtp(values, settings);
  return validated.ok ? [] : Object.keys(validated.problems);
};

describe('the mail server form', () => {
  test.each([
    [{ ...filled, host: 'https://smtp.example.org' }, 'host'],
    [{ ...filled, port: '70000' }, 'port'],
    [{ ...filled, port: 'x' }, 'port'],
    [{ ...filled, fromEmail: 'nobody' }, 'fromEmail'],
  ])('%j is refused at %s', (values, field) => {
    expect(problemsOf(values, null)).toEqual([field]);
  });

  test.each([{ host: 'other.example.org' }, { port: '465' }, { username: 'else' }])(
    'does not use the stored password for another server or user: %j',
    (change) => {
      const values = { ...filled, password: '', ...change };
      expect(problemsOf(values, stored)).toEqual(['password']);
      expect(problemsOf({ ...values, password: 'again' }, stored)).toEqual([]);
    },
  );

  test('needs neither user nor password for a server that takes mail without', () => {
    const open = { ...filled, username: '', password: '' };
    expect(problemsOf(open, null).sort()).toEqual(['password', 'username']);
    const validated = validateSmtp({ ...open, needsSignIn: false }, null);
    expect(validated).toMatchObject({ ok: true, body: { username: null } });
    expect(smtpFormValuesOf({ ...stored, username: '', hasPassword: false }).needsSignIn).toBe(
      false,
    );
  });

  test('keeps the stored password, unsent, if only the sender changes', () => {
    const validated = validateSmtp(
      { ...filled, password: '', fromEmail: 'new@example.org' },
      stored,
    );
    expect(validated).toEqual({
      ok: true,
      body: {
        host: 'smtp.example.org',
        port: 587,
        username: 'mailer',
        fromEmail: 'new@example.org',
        isActive: true,
      },
    });
  });
});
