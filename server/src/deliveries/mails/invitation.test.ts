import { describe, expect, it } from 'vitest';
import { type InvitationParams, invitation } from './invitation.ts';
import { renderMail, subjectOf } from './mail.ts';

const PARAMS: InvitationParams = {
  title: 'Network Fundamentals',
  name: '',
  durationMinutes: 25,
  isCutAtEnd: false,
  endDate: '2026-05-14T16:00:00.000Z',
  quizId: 'q',
  opensAt: null,
  startBy: null,
  codeUntil: '2026-05-14T16:00:00.000Z',
  institution: null,
  timeZone: 'Europe/Berlin',
  signInUrl: 'https://invigil.example.org/login',
  practiceUrl: null,
  subject: null,
  message: null,
  camera: true,
  microphone: true,
  reminder: false,
  isForResult: false,
  rules: [],
};
const render = (change: Partial<InvitationParams> = {}) =>
  renderMail(invitation, { ...PARAMS, ...change }, 'ABCDEFGHJKLMNPQ');

describe('the invitation', () => {
  it('has code, address, duration and end in text and HTML', () => {
    const { subject, text, html } = render();
    expect(subject).toBe('Your assessment: Network Fundamentals');
    for (const body of [text, html]) {
      expect(body).toContain('ABCDE-FGHJK-LMNPQ');
      expect(body).toContain('https://invigil.example.org/login');
      expect(body).toContain('Network Fundamentals');
      expect(body).toContain('25 minutes');
      expect(body).toContain('14 May 2026');
      expect(body).toContain('18:00 (Europe/Berlin, GMT+2)');
    }
  });

  it.each([
    ['Europe/Berlin', '2026-01-14T16:00:00.000Z', '17:00 (Europe/Berlin, GMT+1)'],
    ['UTC', '2026-05-14T16:00:00.000Z', '16:00 (UTC)'],
    ['Asia/Kolkata', '2026-05-14T20:00:00.000Z', '01:30 (Asia/Kolkata, GMT+5:30)'],
  ])('shows the end in the time zone of the service: %s', (timeZone, endDate, shown) => {
    expect(render({ timeZone, endDate }).text).toContain(shown);
  });

  it.each([
    // The end date is at 18:00 in Berlin.
    [
      'starts late',
      null,
      '75 minutes, if you start by Thursday, 14 May 2026 at 16:45 (Europe/Berlin, GMT+2)',
    ],
    [
      'opens before',
      '2026-05-14T14:44:00.000Z',
      '75 minutes, if you start by Thursday, 14 May 2026 at 16:45',
    ],
    ['can only be cut', '2026-05-14T14:45:00.000Z', '75 minutes'],
  ])('promises no more extra time than whoever %s can have', (_, opensAt, text) => {
    const cut = render({ durationMinutes: 75, isCutAtEnd: true, opensAt });
    for (const body of [cut.text, cut.html]) expect(body).toContain(text);
    expect(cut.text.includes('if you start by')).toBe(text.includes('if'));
    const free = render({ durationMinutes: 75, isCutAtEnd: true, opensAt, endDate: null });
    expect(free.text).not.toContain('if you start by');
  });

  it('says when it opens, with an entry for the calendar from then to the end', () => {
    const { text, html, calendar } = render({ opensAt: '2026-05-14T07:00:00.000Z' });
    for (const body of [text, html])
      expect(body).toMatch(/Opens at.* 09:00 \(Europe\/Berlin, GMT\+2\)/s);
    const lines = calendar?.split('\r\n') ?? [];
    expect(lines).toEqual(
      expect.arrayContaining([
        'UID:q@invigil',
        'DTSTART:20260514T070000Z',
        'DTEND:20260514T160000Z',
        'SUMMARY:Network Fundamentals',
      ]),
    );
    // The one-time password is in the message alone.
    expect(calendar).not.toContain('ABCDE');
    const endless = render({ opensAt: '2026-05-14T07:00:00.000Z', endDate: null });
    expect(endless.calendar).toContain('DTEND:20260514T072500Z');
    expect(render()).not.toHaveProperty('calendar');
  });

  it.each([
    [true, true, 'Have a quiet room, a camera and a microphone ready. You will'],
    [true, false, 'Have a camera ready. You will'],
    [false, true, 'Have a quiet room and a microphone ready. You will'],
    [false, false, 'You will see the instructions'],
  ])('names what the policy requires: camera %s, microphone %s', (camera, microphone, required) => {
    const { text, html } = render({ camera, microphone });
    for (const body of [text, html]) {
      expect(body).toContain(required);
      expect(/quiet room/.test(body)).toBe(microphone);
      expect(/camera/.test(body)).toBe(camera);
    }
  });

  it('has the address at which the device is checked, in a reminder too, but not for a result', () => {
    const address = 'https://invigil.example.org/check';
    for (const reminder of [false, true]) {
      const { text, html } = render({ reminder });
      expect(text).toContain(`Check your device: ${address}\n`);
      expect(html).toContain(address);
    }
    expect(render({ isForResult: true }).text).not.toContain(address);
  });

  it('has the address of a practice assessment where there is one, but not for a result', () => {
    const practiceUrl = 'https://invigil.example.org/practice/abc';
    expect(render({ practiceUrl }).text).toMatch(
      /Practice first: +https:\/\/invigil\.example\.org\/practice\/abc\n/,
    );
    expect(render({ practiceUrl }).html).toContain(practiceUrl);
    expect(render({ practiceUrl, isForResult: true }).text).not.toContain(practiceUrl);
    expect(render().text).not.toContain('Practice first');
  });

  it('shows that it is a reminder, in the subject too', () => {
    const { subject, text, html } = render({ reminder: true });
    expect(subject).toBe('Reminder: your assessment: Network Fundamentals');
    for (const body of [text, html]) expect(body).toContain('This is a reminder: you are invited');
    expect(render({ reminder: true, subject: 'Tomorrow' }).subject).toBe('Tomorrow');
  });

  it('names who invites, escaped', () => {
    const institution = 'eMs <b>College</b>';
    const { text, html } = render({ institution });
    expect(text).toContain('eMs <b>College</b> invites you to take the assessment "Network');
    expect(html).toContain('eMs &lt;b&gt;College&lt;/b&gt; invites you to take the assessment');
    expect(render({ institution, reminder: true }).text).toContain('a reminder: eMs <b>College');
  });

  it('shows that there is no end date, and uses the singular for one minute', () => {
    const { text } = render({ endDate: null, durationMinutes: 1 });
    expect(text).toContain('No end date');
    expect(text).toMatch(/1 minute$/m);
  });

  it('escapes a hostile title, and keeps the subject on one line', () => {
    const title = '<img src=x onerror=alert(1)> "A" & \'B\'\r\nBcc: everybody@example.org';
    const { subject, html } = render({ title, signInUrl: 'https://x.example/"><script>' });
    expect(html).not.toMatch(/<img|<script/);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;A&quot; &amp; &#39;B&#39;');
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subjectOf(invitation, { ...PARAMS, title: 'a\r\n\tb' })).toBe('Your assessment: a b');
  });

  it('says until when the one-time password is valid, also without an end date', () => {
    const bodies = ({ text, html }: ReturnType<typeof render>) => [text, html];
    const valid = 'The one-time password is valid until';
    for (const body of bodies(render())) {
      expect(body).toContain(`${valid} Thursday, 14 May 2026 at 18:00 (Europe/Berlin, GMT+2).`);
    }
    const codeUntil = '2026-07-01T10:00:00.000Z';
    for (const body of bodies(render({ endDate: null, codeUntil }))) {
      expect(body).toContain(`${valid} Wednesday, 1 July 2026 at 12:00`);
    }
    // Stored by an earlier version.
    for (const body of bodies(render({ codeUntil: null }))) expect(body).not.toContain(valid);
  });

  it('isolates a name that is written from right to left, and leaves others as they are', () => {
    const bodies = (name: string) => [render({ name }).text, render({ name }).html];
    for (const body of bodies('דוד')) expect(body).toContain('Dear \u2068דוד\u2069,');
    for (const body of bodies('Ada')) expect(body).toContain('Dear Ada,');
  });

  it('of someone who has finished is about the result alone', () => {
    const { subject, text, html } = render({
      ...{ isForResult: true, codeUntil: '2026-07-01T10:00:00.000Z' },
    });
    expect(subject).toMatch(/^Your result: /);
    for (const body of [text, html]) {
      expect(body).toContain('ABCDE-FGHJK-LMNPQ');
      expect(body).toContain('Wednesday, 1 July 2026 at 12:00');
      expect(body).not.toMatch(/invite|Duration|Complete it by|camera|You can take/);
    }
  });

  it("includes the administrator's own text, escaped", () => {
    const { subject, text, html } = render({
      subject: 'Your\r\nBcc: everybody@example.org place',
      message: 'Dear all,\n<b>good luck</b>',
    });
    expect(subject).toBe('Your Bcc: everybody@example.org place');
    expect(text).toContain('Dear all,\n<b>good luck</b>');
    // It keeps the direction of its own words, whatever the language of the mail is.
    expect(html).toMatch(/<p dir="auto"[^>]*>Dear all,\n&lt;b&gt;good luck&lt;\/b&gt;/);
    for (const body of [text, html]) expect(body).toContain('ABCDE-FGHJK-LMNPQ');
  });
});
