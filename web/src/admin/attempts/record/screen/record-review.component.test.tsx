import type { Violation } from '@invigil/core/contract/attempts/violation-views';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { REVIEW_POLICY, STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { useLocation } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createQueryClient } from '../../../../net/query-client.ts';
import { violation as counted, PARTICIPANT } from '../../../../testing/record-rows.ts';
import { show, tokenColor, wordsIn, wordsOf } from '../../../../testing/shown.tsx';
import { evidenceKey } from '../../../data/record.ts';
import { LevelCurve, OpenedEvidence } from '../evidence/evidence-viewer.tsx';
import { RecordEvidence } from '../evidence/record-evidence.tsx';
import { StillStrip } from '../evidence/still-strip.tsx';
import { OtherAttempts, RecordSeal } from './record-details.tsx';
import { RecordReleases } from './record-releases.tsx';
import { RecordSensors } from './record-sensors.tsx';
import { RecordVerdict } from './record-verdict.tsx';

const violation = (change: Partial<Violation> = {}) =>
  counted({ at: '2026-05-14T10:06:21.000Z', engine: 'model', ...change });

const Where = () => useLocation().pathname;

const RECORD: ParticipantRecord = {
  participant: {
    ...PARTICIPANT,
    id: 'p',
    userEmail: 'c.lind@example.org',
    status: 'dismissed',
    score: 12,
    timeSpent: 852,
    startedAt: '2026-05-14T10:00:00.000Z',
    submittedAt: '2026-05-14T10:14:12.000Z',
    submissionType: 'dismissed',
    answeredCount: 15,
    toReview: true,
    fullscreenExits: 1,
    reviewFlags: 2,
  },
  deadlineAt: '2026-05-14T10:25:00.000Z',
  lastSeenAt: '2026-05-14T10:14:12.000Z',
  consent: null,
  deviceCheck: null,
  feedback: null,
  note: '',
  questions: [],
  lateAnswerCount: 0,
  events: [],
  earlierAttempts: [],
  actions: [],
  messages: [],
  violations: [],
  periodicEvidence: [],
  evidenceKeptUntil: '2026-08-12T10:14:12.000Z',
  evidenceDeletedAt: null,
  connectionGaps: [],
  sensors: { camera: 'on', microphone: 'on', fullscreen: 'on' },
  fullscreenExits: 1,
  tabSwitches: 0,
  isPhone: false,
  computerUsed: true,
  policy: { ...STRICT_POLICY, version: 2 },
  verdict: null,
};

const SUMMARY = {
  id: 'e',
  at: '2026-05-14T10:06:21.000Z',
  receivedAt: '2026-05-14T10:06:30.000Z',
  stills: 20,
  hasLevels: true,
  bytes: 200_000,
};

const evidence = (change: Partial<ParticipantRecord>) => (
  <RecordEvidence record={{ ...RECORD, ...change }} />
);
const verdict = (change: Partial<ParticipantRecord>) =>
  wordsOf(<RecordVerdict record={{ ...RECORD, ...change }} />);

test('shows a broken seal only', async () => {
  expect(await wordsOf(<RecordSeal record={{ hasBrokenSeal: true }} />)).toContain(
    'The stored result does not match its seal.',
  );
  expect(await wordsOf(<RecordSeal record={RECORD} />)).toBe('');
});

test('lists the attempts of a person, with the one that counts by the rule', async () => {
  const attempt = (number: number, score: number) => ({
    ...{ ...RECORD.participant, id: `p${number}`, attempt: number, score },
  });
  const record = { ...RECORD, participant: attempt(2, 12), earlierAttempts: [attempt(1, 8)] };
  const plain = await wordsOf(<OtherAttempts record={record} />);
  expect(plain).toMatch(/^Earlier attempts Attempt 1 .* 8 of/);
  expect(plain).not.toContain('ounts');
  const ruled: ParticipantRecord = {
    ...{ ...record, laterAttempts: [attempt(3, 9)] },
    retakes: { counts: 'best', counting: 'p2' },
  };
  const words = await wordsOf(<OtherAttempts record={ruled} />);
  expect(words).toMatch(/^Attempts Which attempt counts: The best Attempt 3 .*9 of/);
  expect(words).toMatch(/Attempt 2 Counts [^A]* 12 of .*Attempt 1/);
  expect(words.match(/Counts/g)).toHaveLength(1);
});

describe('evidence', () => {
  test('renders no card without violations', async () => {
    const { container, rerender } = await show(evidence({}));
    expect(container).toBeEmptyDOMElement();
    const blur = violation({ type: 'window_blur', level: 'info', counted: false });
    await rerender(evidence({ violations: [blur] }));
    expect(container).toBeEmptyDOMElement();
  });

  test('is not opened automatically, and shows logging and retention', async () => {
    const { container } = await show(
      evidence({ violations: [violation({ evidence: [SUMMARY] })] }),
    );
    expect(page.getByRole('img').elements()).toEqual([]);
    expect(wordsIn(container)).toBe(
      'Evidence Kept until 12 Aug 2026. Viewing is logged. ' +
        'Open 20 stills and level curve : Face not detected, 06:21 06:21 Face not detected ' +
        'Detected by: detection model. Counted 1 of 3',
    );
  });

  test('marks the violation that ended the attempt', async () => {
    const both = [violation({}), violation({ id: 'w', at: '2026-05-14T10:08:00.000Z' })];
    const ending = { violations: both, endingViolationId: 'w' };
    const { container, rerender } = await show(evidence(ending));
    const red = () =>
      [...container.querySelectorAll('*')].filter(
        (element) => getComputedStyle(element).backgroundColor === tokenColor('bad-soft'),
      );
    expect(red()).toHaveLength(1);
    await rerender(evidence({ violations: both }));
    expect(red()).toEqual([]);
  });

  test('says that a camera or microphone violation has none', async () => {
    const bare = await wordsOf(evidence({ violations: [violation({}), violation({ id: 'w' })] }));
    expect(bare.match(/No stills or level curve were kept\./g)).toHaveLength(2);
    const held = await wordsOf(evidence({ violations: [violation({ evidence: [SUMMARY] })] }));
    expect(held).not.toContain('No stills');
    const ofPage = violation({ type: 'fullscreen_exit', engine: null });
    expect(await wordsOf(evidence({ violations: [ofPage] }))).not.toContain('No stills');
  });

  test('shows when it was deleted and cannot be opened', async () => {
    const { container } = await show(
      evidence({
        violations: [violation({ evidence: [SUMMARY] })],
        evidenceDeletedAt: '2026-08-13T00:00:00.000Z',
      }),
    );
    expect(wordsIn(container)).toContain('Deleted on 13 Aug 2026.');
    expect(page.getByRole('button').elements()).toEqual([]);
  });

  test('shows the candidate’s note with its violation', async () => {
    const own = violation({ counted: false, candidateNote: 'I dropped my pen' });
    expect(await wordsOf(evidence({ violations: [own] }))).toContain(
      'Detected by: detection model. The candidate: “I dropped my pen” Not counted',
    );
  });

  test('marks and shows the moment first when opened, with the level as text', async () => {
    const stills = [-2_000, -100, 900].map((offsetMs) => ({ offsetMs, jpeg: 'AAAA' }));
    const opened = { ...SUMMARY, participantId: 'p', violationId: 'v', stills, levels: null };
    const strip = await show(<StillStrip evidence={[opened]} momentAt={SUMMARY.at} />);
    const pressed = (name: string) =>
      page.getByRole('button', { name, exact: true, pressed: true });
    expect(strip.container.querySelectorAll('img')).toHaveLength(4);
    await expect.element(pressed('The moment of detection')).toBeVisible();
    await strip.unmount();
    const between = await show(
      <StillStrip
        evidence={[{ ...opened, violationId: null }]}
        momentAt={RECORD.participant.startedAt}
        isBetween
      />,
    );
    await expect.element(pressed('06:19 after the start')).toBeVisible();
    expect(between.container.innerHTML).not.toContain('moment');
    const bars = [
      { offsetMs: -300, value: 4 },
      { offsetMs: 0, value: 61 },
    ];
    expect(await wordsOf(<LevelCurve bars={bars} />)).toContain('at most 61 of 120, at 0 s.');
  });
});

test('shows a sensor that was off for this person as not applicable', async () => {
  const sensors = { camera: 'not_applicable', microphone: 'off', fullscreen: 'on' } as const;
  const words = await wordsOf(<RecordSensors record={{ ...RECORD, sensors }} />);
  expect(words).toContain('Camera Not applicable Switched off for this person');
  expect(words).toContain('Microphone Not required Fullscreen On Fullscreen exits 1');
  expect(words).toContain('Policy Strict, version 2');
});

test('describes what would have ended the attempt, if anything', async () => {
  expect(await wordsOf(<RecordSensors record={RECORD} />)).toContain(
    'Ends the attempt 3 face and voice violations combined 3 face violations 5 voice violations ' +
      '5 fullscreen exits The first tab switch Camera On',
  );
  const policy = { ...REVIEW_POLICY, version: 1 };
  expect(await wordsOf(<RecordSensors record={{ ...RECORD, policy }} />)).toContain(
    'Ends the attempt Nothing automatically',
  );
});

test('names the detection engines, the fallback included', async () => {
  const violations = [violation({}), violation({ engine: 'basic' }), violation({ engine: null })];
  expect(await wordsOf(<RecordSensors record={{ ...RECORD, violations }} />)).toContain(
    'Detected by detection model, basic check',
  );
});

describe('the verdict', () => {
  test('cannot be recorded while the attempt runs', async () => {
    const participant = {
      ...RECORD.participant,
      status: 'in_progress',
      submittedAt: null,
    } as const;
    const words = await verdict({ participant });
    expect(words).toContain('You can record a verdict when the attempt has ended.');
    expect(words).not.toContain('Save verdict');
  });

  test('offers three verdicts, and reinstatement after a dismissal with time left', async () => {
    const words = await verdict({});
    expect(words).toContain('No concern Talk to the candidate Breach of the rules');
    expect(words).toContain('Dismissed with 10m 48s left.');
    expect(words).toContain('use Reinstate to let the candidate continue.');
  });

  test('saves and opens the next record if there is one', async () => {
    const id = RECORD.participant.id;
    const words = (ids: string[]) =>
      wordsOf(<RecordVerdict record={RECORD} />, {
        state: { search: '?review=open', ids, total: ids.length },
      });
    expect(await words(['a', id, 'b'])).toContain('Save and next');
    expect(await words(['a', id])).not.toContain('Save and next');
    const given = { verdict: 'no_concern', note: '', at: RECORD.deadlineAt, adminEmail: 'a' };
    const fetched = vi.fn(async (..._request: [string, RequestInit?]) => Response.json(given));
    vi.stubGlobal('fetch', fetched);
    const list = { search: '?review=open', ids: ['a', id, 'b'], total: 3 };
    const { container } = await show(
      <>
        <Where />
        <RecordVerdict record={RECORD} />
      </>,
      { state: list },
    );
    await page.getByRole('radio', { name: 'No concern' }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.poll(() => wordsIn(container)).toMatch(/^\/admin\/participants\/b /);
    expect(fetched.mock.calls[0]?.[1]?.body).toContain('"verdict":"no_concern"');
  });

  test('shows why a review is due: counted violations and flags by name', async () => {
    const flag = violation({ type: 'looking_away', level: 'low', counted: false });
    const dark = violation({ type: 'camera_dark', level: 'info', counted: false });
    const words = await verdict({ violations: [violation({}), flag, flag, dark] });
    expect(words).toContain('To review: 1 violation, 1 fullscreen exit, Looking away (2)');
    expect(await verdict({})).toContain('To review: 1 violation, 1 fullscreen exit, 2 flags');
    const reviewed = { ...RECORD.participant, toReview: false };
    expect(await verdict({ participant: reviewed })).not.toContain('To review:');
  });

  test('offers no reinstatement without time left or without a dismissal', async () => {
    expect(await verdict({ deadlineAt: '2026-05-14T10:14:12.000Z' })).not.toContain('Reinstate');
    const participant = { ...RECORD.participant, status: 'completed' } as const;
    expect(await verdict({ participant })).not.toContain('Reinstate');
  });

  test('shows by whom and when it was recorded', async () => {
    const given = {
      verdict: 'talk',
      note: 'Ask first',
      at: '2026-05-15T08:00:00.000Z',
      adminEmail: 'admin@example.org',
    } as const;
    const words = await verdict({ verdict: given });
    expect(words).toMatch(/^Verdict Talk to the candidate/);
    expect(words).toContain('Recorded by admin@example.org on 15 May 2026');
  });
});

test('reads evidence again once there is more of it', async () => {
  const asked = vi.fn(() => new Promise(() => undefined));
  vi.stubGlobal('fetch', asked);
  const of = { participantId: 'p', violationId: 'v' };
  const evidence = [
    {
      ...of,
      id: 'before',
      at: '2026-05-14T10:06:21.000Z',
      stills: [{ offsetMs: -1_000, jpeg: 'AAAA' }],
      levels: null,
    },
  ];
  const client = createQueryClient();
  client.setQueryData(evidenceKey(of, ['before']), {
    pages: [{ evidence, unreadable: 0, next: null }],
    pageParams: [null],
  });
  const opened = (uploads: string[]) =>
    wordsOf(
      <OpenedEvidence
        of={of}
        uploads={uploads}
        opened={uploads}
        onOpen={() => undefined}
        momentAt="2026-05-14T10:06:21.000Z"
      />,
      { client },
    );
  // Reopening it is not a second view.
  expect(await opened(['before'])).not.toContain('Opening evidence');
  expect(asked).not.toHaveBeenCalled();
  expect(await opened(['before', 'after'])).toBe('Opening evidence...');
  expect(asked).toHaveBeenCalledOnce();
});

test('shows what the candidate was shown, and revokes the certificate after asking', async () => {
  const rules = { parts: ['outcome', 'certificate'], when: { kind: 'by_hand' }, openDays: 30 };
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    calls.push(`${method} ${url}`);
    return method === 'DELETE'
      ? new Response(null, { status: 204 })
      : Response.json({
          rules,
          released: 1,
          changed: 0,
          held: {},
          seen: 0,
          toReview: 0,
          open: { canStart: 0, running: 0, until: null },
          timeZone: 'UTC',
        });
  });
  const at = '2026-05-20T10:00:00.000Z';
  const outcome = { percent: 80, result: 'passed' as const, grade: null };
  const issued = { number: 'K7QMX-4TREW-PLA29', issuedAt: at, issuedBy: null, revokedAt: null };
  const record: ParticipantRecord = {
    ...RECORD,
    releases: [{ at, by: 'ada@example.org', percent: 80, outcome }],
    certificates: [
      // The certificate of a candidate whose name this reader does not see.
      { ...issued, number: null, issuedAt: '2026-05-20T09:00:00.000Z', state: 'replaced' },
      { ...issued, state: 'valid' },
    ],
  };
  await show(<RecordReleases record={record} />);
  const card = page.getByRole('region', { name: 'Shown to the candidate' });
  await expect.element(card.getByText('Result, 80 %')).toBeVisible();
  await expect
    .element(card.getByRole('link', { name: issued.number }))
    .toHaveAttribute('href', `/verify#${issued.number}`);
  await expect.element(card.getByText('Certificate', { exact: true }).first()).toBeVisible();
  expect(card.getByRole('link').elements()).toHaveLength(1);
  await expect.element(card.getByRole('button', { name: 'Issue again' })).toBeVisible();
  await card.getByRole('button', { name: 'Revoke certificate' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect
    .poll(() => calls)
    .toContain(`DELETE /api/participants/${record.participant.id}/certificate`);
  await expect.element(card.getByRole('button', { name: 'Release again' })).toBeVisible();
});

test.each([
  [{ hasName: true, letters: ['䶮'] }, /^The name has letters that cannot be printed: 䶮\./],
  [{ hasName: false, letters: [] }, /^No name is known/],
])('says beside a certificate what it cannot say: %j', async (what, words) => {
  const rules = { parts: ['outcome', 'certificate'], when: { kind: 'by_hand' }, openDays: 30 };
  const { id } = RECORD.participant;
  const problem = { participantId: id, userId: 'u', userEmail: 'liu@example.org', ...what };
  const certificates = { letters: [], count: 1, problems: [problem] };
  const open = { canStart: 0, running: 0, until: null };
  const counts = { released: 1, changed: 0, held: {}, seen: 0, toReview: 0, open, timeZone: 'UTC' };
  vi.stubGlobal('fetch', async () => Response.json({ rules, ...counts, certificates }));
  const outcome = { percent: 80, result: 'passed' as const, grade: null };
  const at = '2026-05-20T10:00:00.000Z';
  await show(
    <RecordReleases record={{ ...RECORD, releases: [{ at, by: null, percent: 80, outcome }] }} />,
  );
  await expect.element(page.getByText(words)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Issue certificate' })).toBeVisible();
});

test('offers no release and no certificate of a replaced attempt, but to revoke the one it has', async () => {
  const rules = { parts: ['outcome', 'certificate'], when: { kind: 'by_hand' }, openDays: 30 };
  const read = vi.fn(async () =>
    Response.json({
      rules,
      released: 1,
      changed: 0,
      held: {},
      seen: 0,
      toReview: 0,
      open: { canStart: 0, running: 0, until: null },
      timeZone: 'UTC',
    }),
  );
  vi.stubGlobal('fetch', read);
  const at = '2026-05-20T10:00:00.000Z';
  const outcome = { percent: 80, result: 'passed' as const, grade: null };
  const record: ParticipantRecord = {
    ...RECORD,
    events: [{ kind: 'replaced', at, details: null }],
    releases: [{ at, by: null, percent: 80, outcome }],
    certificates: [
      {
        number: 'K7QMX-4TREW-PLA29',
        issuedAt: at,
        issuedBy: null,
        revokedAt: null,
        state: 'valid',
      },
    ],
  };
  const client = createQueryClient();
  await show(<RecordReleases record={record} />, { client });
  await expect.poll(() => read.mock.calls.length > 0 && client.isFetching() === 0).toBe(true);
  const names = page
    .getByRole('button')
    .elements()
    .map((button) => button.textContent);
  expect(names).toEqual(['Revoke certificate']);
});
