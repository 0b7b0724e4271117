/** A page of the portal and the request it makes; each request may name another row. */
export interface Page {
  /** Its name in the table of figures. */
  name: string;
  /** Deep pages are reported without a target. */
  group: 'participants' | 'dashboard' | 'record' | 'others' | 'deep';
  path(turn: number): string;
}

/** Ids and totals for the requests. */
export interface Known {
  attempts: readonly string[];
  quizzes: readonly string[];
  /** Rows of the lists. */
  totals: { participants: number; outbox: number; audit: number };
}

const ROWS = 10;
const SORTS = [
  'startedAt',
  'submittedAt',
  'userEmail',
  'quizTitle',
  'score',
  'status',
  'timeSpent',
  'violationCount',
];
const STATUSES = ['completed', 'dismissed', 'in_progress'];
const SEARCHES: [string, (turn: number, known: Known) => string][] = [
  ['an address', (turn) => `candidate-${String((turn * 3571) % 40_000).padStart(5, '0')}`],
  ['part of an address', (turn) => `e-${String((turn * 71) % 1_000).padStart(3, '0')}`],
  ['the end of an id', (turn, known) => (pick(known.attempts, turn) ?? '').slice(-8)],
  ['a text that matches nothing', (turn) => `no-match-${turn}`],
  ['a text that matches everything', () => 'example.org'],
];

/** Pages whose response time must not grow with the rows. */
export function flatPages(known: Known): Page[] {
  return [
    {
      name: 'participants, first page',
      group: 'participants',
      path: () => `/api/participants?limit=${ROWS}`,
    },
    {
      name: 'participant record',
      group: 'record',
      path: (turn) => `/api/participants/${pick(known.attempts, turn)}/record`,
    },
  ];
}

/** Every list, the dashboard and the record. */
export function allPages(known: Known): Page[] {
  const { participants, outbox, audit } = known.totals;
  const list = (
    name: string,
    query: (turn: number) => string,
    group: Page['group'] = 'participants',
  ): Page => ({
    name: `participants, ${name}`,
    group,
    path: (turn) => `/api/participants?limit=${ROWS}&${query(turn)}`,
  });
  const last = (total: number) => Math.floor((total - 1) / ROWS) * ROWS;
  const deep = (total: number) => Math.floor(total / 2 / ROWS) * ROWS;
  const quizOf = (turn: number) => `quizId=${pick(known.quizzes, turn)}`;
  return [
    ...flatPages(known),
    list('page 2', () => `offset=${ROWS}`),
    {
      name: 'participants, 100 rows',
      group: 'participants',
      path: () => '/api/participants?limit=100',
    },
    ...SORTS.flatMap((sort) =>
      ['asc', 'desc'].map((order) =>
        list(`by ${sort} ${order}`, () => `sort=${sort}&order=${order}`),
      ),
    ),
    ...SORTS.map((sort) =>
      list(
        `by ${sort}, page in the middle`,
        () => `sort=${sort}&offset=${deep(participants)}`,
        'deep',
      ),
    ),
    ...SORTS.map((sort) =>
      list(`by ${sort}, last page`, () => `sort=${sort}&offset=${last(participants)}`),
    ),
    list('of one assessment', quizOf),
    list('of one assessment, by score', (turn) => `${quizOf(turn)}&sort=score&order=desc`),
    ...STATUSES.map((status) => list(status, () => `status=${status}`)),
    list('completed, by score', () => 'status=completed&sort=score&order=desc'),
    list('completed, last page', () => `status=completed&offset=${last(participants * 0.94)}`),
    ...SEARCHES.map(([what, text]) =>
      list(`search for ${what}`, (turn) => `search=${encodeURIComponent(text(turn, known))}`),
    ),
    { name: 'dashboard figures', group: 'dashboard', path: () => '/api/stats' },
    { name: 'charts, 30 days', group: 'dashboard', path: () => '/api/stats/charts?days=30' },
    { name: 'charts, 366 days', group: 'dashboard', path: () => '/api/stats/charts?days=366' },
    {
      name: 'charts of one assessment',
      group: 'dashboard',
      path: (turn) => `/api/stats/charts?days=366&${quizOf(turn)}`,
    },
    { name: 'assessments', group: 'others', path: () => '/api/quizzes' },
    {
      name: 'invitations of one assessment',
      group: 'others',
      path: (turn) => `/api/quizzes/${pick(known.quizzes, turn)}/invitations?limit=${ROWS}`,
    },
    {
      name: 'invitations, search',
      group: 'others',
      path: (turn) =>
        `/api/quizzes/${pick(known.quizzes, turn)}/invitations?limit=${ROWS}&search=e-${turn}`,
    },
    ...[
      ['outbox', '/api/outbox', outbox],
      ['audit log', '/api/audit', audit],
    ].flatMap(([name, path, total]): Page[] =>
      [
        ['first page', 0],
        ['page in the middle', deep(Number(total))],
        ['last page', last(Number(total))],
      ].map(([page, offset]) => ({
        name: `${name}, ${page}`,
        group: page === 'page in the middle' ? 'deep' : 'others',
        path: () => `${path}?limit=${ROWS}&offset=${offset}`,
      })),
    ),
    {
      name: 'audit log, search',
      group: 'others',
      path: (turn) =>
        `/api/audit?limit=${ROWS}&search=${(pick(known.attempts, turn) ?? '').slice(-8)}`,
    },
  ];
}

/** A different item each turn, spread over all. */
function pick<T>(items: readonly T[], turn: number): T | undefined {
  return items[(turn * 7_919) % items.length];
}
