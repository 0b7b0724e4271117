import { describe, expect, it } from 'vitest';
import {
  type InvitationVariables,
  invitationSubject,
  renderInvitation,
} from './invitation-message.ts';

const VARIABLES: InvitationVariables = {
  title: 'Network Fundamentals',
  durationMinutes: 25,
  endDate: '2026-05-14T16:00:00.000Z',
  timeZone: 'Europe/Berlin',
  signInUrl: 'https://invigil.example.org/login',
  subject: null,
  message: null,
  camera: true,
  microphone: true,
  reminder: false,
};
const render = (change: Partial<InvitationVariables> = {}) =>
  renderInvitation({ ...VARIABLES, ...change }, 'ABCDEFGHJKLMNPQ');

describe('the invitation', () => {
  it('says in text and HTML what to sign in with, where, how long and until when', () => {
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
  ])('tells the end in the zone of the service: %s', (timeZone, endDate, shown) => {
    expect(render({ timeZone, endDate }).text).toContain(shown);
  });

  it.each([
    [true, true, 'Have a quiet room, a camera and a microphone ready. The instructions'],
    [true, false, 'Have a camera ready. The instructions'],
    [false, true, 'Have a quiet room and a microphone ready. The instructions'],
    [false, false, 'The instructions'],
  ])('asks for what the policy asks for: camera %s, microphone %s', (camera, microphone, asked) => {
    const { text, html } = render({ camera, microphone });
    for (const body of [text, html]) {
      expect(body).toContain(asked);
      expect(/quiet room/.test(body)).toBe(microphone);
      expect(/camera/.test(body)).toBe(camera);
    }
  });

  it('says that it is a reminder, with a subject of its own too', () => {
    const { subject, text, html } = render({ reminder: true });
    expect(subject).toBe('Reminder: your assessment: Network Fundamentals');
    for (const body of [text, html]) expect(body).toContain('This is a reminder: you are invited');
    expect(render({ reminder: true, subject: 'Tomorrow' }).subject).toBe('Tomorrow');
  });

  it('names no end where there is none, and one minute as one', () => {
    const { text } = render({ endDate: null, durationMinutes: 1 });
    expect(text).toContain('No end date');
    expect(text).toMatch(/1 minute$/m);
  });

  it('shows a hostile title as text, and on one line of the subject', () => {
    const title = '<img src=x onerror=alert(1)> "A" & \'B\'\r\nBcc: everybody@example.org';
    const { subject, html } = render({ title, signInUrl: 'https://x.example/"><script>' });
    expect(html).not.toMatch(/<img|<script/);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;A&quot; &amp; &#39;B&#39;');
    expect(subject).not.toMatch(/[\r\n]/);
    expect(invitationSubject({ ...VARIABLES, title: 'a\r\n\tb' })).toBe('Your assessment: a b');
  });

  it("says the administrator's own words besides the facts, as text", () => {
    const { subject, text, html } = render({
      subject: 'Your\r\nBcc: everybody@example.org place',
      message: 'Dear all,\n<b>good luck</b>',
    });
    expect(subject).toBe('Your Bcc: everybody@example.org place');
    expect(text).toContain('Dear all,\n<b>good luck</b>');
    expect(html).toContain('Dear all,\n&lt;b&gt;good luck&lt;/b&gt;');
    for (const body of [text, html]) expect(body).toContain('ABCDE-FGHJK-LMNPQ');
  });
});
