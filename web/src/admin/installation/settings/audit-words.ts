import { t } from '@invigil/core/texts/i18n';

/** Names of fields and values in the details of the audit log, in words. */
export const AUDIT_WORDS: Partial<Record<string, () => string>> = {
  added: () =>
    t(
      /* a word in the details of the audit log: how many, or what */ 'settings.audit.word.added',
      'added',
    ),
  addresses: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.addresses', 'addresses'),
  after: () =>
    t(
      /* a word in the details of the audit log: what is there after the change */ 'settings.audit.word.after',
      'after',
    ),
  also_right: () =>
    t(
      /* a word in the details of the audit log: how an answer was corrected */ 'settings.audit.word.alsoRight',
      'also right',
    ),
  answers: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.answers', 'answers'),
  app: () =>
    t(
      /* a word in the details of the audit log: an authenticator app */ 'settings.audit.word.app',
      'app',
    ),
  archived: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.archived', 'archived'),
  assessments: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.assessments',
      'assessments',
    ),
  at: () =>
    t(
      /* a word in the details of the audit log: at a point in time */ 'settings.audit.word.at',
      'at',
    ),
  at_once: () =>
    t(
      /* a word in the details of the audit log: results are released */ 'settings.audit.word.atOnce',
      'at once',
    ),
  attempts: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.attempts', 'attempts'),
  before: () =>
    t(
      /* a word in the details of the audit log: what was there before the change */ 'settings.audit.word.before',
      'before',
    ),
  breach: () =>
    t(
      /* a word in the details of the audit log: a verdict on an attempt */ 'settings.audit.word.breach',
      'breach',
    ),
  brokenSeals: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.brokenSeals',
      'broken seals',
    ),
  by: () =>
    t(
      /* a word in the details of the audit log: how it was done: “by: mail” */ 'settings.audit.word.by',
      'by',
    ),
  by_hand: () =>
    t(
      /* a word in the details of the audit log: results are released */ 'settings.audit.word.byHand',
      'by hand',
    ),
  cameraEnabled: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.cameraEnabled',
      'camera enabled',
    ),
  categoryId: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.categoryId', 'category'),
  certificate: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.certificate',
      'certificate',
    ),
  changed: () =>
    t(
      /* a word in the details of the audit log: how many, or what */ 'settings.audit.word.changed',
      'changed',
    ),
  characters: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.characters', 'characters'),
  connection: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.connection', 'connection'),
  correction: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.correction', 'correction'),
  count: () =>
    t(/* a word in the details of the audit log: how many */ 'settings.audit.word.count', 'count'),
  days: () => t(/* a word in the details of the audit log */ 'settings.audit.word.days', 'days'),
  difficulty: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.difficulty', 'difficulty'),
  done: () =>
    t(
      /* a word in the details of the audit log: a stage of a test message */ 'settings.audit.word.done',
      'done',
    ),
  email: () => t(/* a word in the details of the audit log */ 'settings.audit.word.email', 'email'),
  endDate: () =>
    t(
      /* a word in the details of the audit log: of the time when an assessment ends: “ends 3 December” */ 'settings.audit.word.endDate',
      'ends',
    ),
  endedCodes: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.endedCodes', 'ended codes'),
  explanations: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.explanations',
      'explanations',
    ),
  externalId: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.externalId', 'number'),
  extraTime: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.extraTime', 'extra time'),
  extraTimeFactor: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.extraTimeFactor',
      'time factor',
    ),
  breaks: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.breaks', 'breaks'),
  faceCovered: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.faceCovered',
      'face covered',
    ),
  familyName: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.familyName', 'family name'),
  fields: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.fields', 'fields'),
  format: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.format', 'format'),
  from: () =>
    t(
      /* a word in the details of the audit log: before a number or a name: “grade A from 90”, “from: Networks” */ 'settings.audit.word.from',
      'from',
    ),
  fromCategoryId: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.fromCategoryId',
      'from category',
    ),
  full_points: () =>
    t(
      /* a word in the details of the audit log: how a question was corrected */ 'settings.audit.word.fullPoints',
      'full points',
    ),
  givenName: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.givenName', 'given name'),
  grade: () => t(/* a word in the details of the audit log */ 'settings.audit.word.grade', 'grade'),
  grades: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.grades', 'grades'),
  greeting: () =>
    t(
      /* a word in the details of the audit log: a stage of a test message */ 'settings.audit.word.greeting',
      'greeting',
    ),
  group: () =>
    t(/* a word in the details of the audit log: of people */ 'settings.audit.word.group', 'group'),
  groups: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.groups', 'groups'),
  ids: () => t(/* a word in the details of the audit log */ 'settings.audit.word.ids', 'ids'),
  images: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.images', 'images'),
  in_between: () =>
    t(
      /* a word in the details of the audit log: pictures between violations */ 'settings.audit.word.inBetween',
      'in between',
    ),
  isChecked: () =>
    t(
      /* a word in the details of the audit log: whether somebody has checked a language */ 'settings.audit.word.isChecked',
      'checked',
    ),
  isFiltered: () =>
    t(
      /* a word in the details of the audit log: whether the list was filtered */ 'settings.audit.word.isFiltered',
      'filtered',
    ),
  isNamed: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.isNamed',
      'selected one by one',
    ),
  isPractice: () =>
    t(
      /* a word in the details of the audit log: “for practice: yes” */ 'settings.audit.word.isPractice',
      'for practice',
    ),
  key: () =>
    t(
      /* a word in the details of the audit log: of questions: their right answers */ 'settings.audit.word.key',
      'key',
    ),
  keyAfterEnd: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.keyAfterEnd',
      'key after end',
    ),
  kind: () =>
    t(
      /* a word in the details of the audit log: of something */ 'settings.audit.word.kind',
      'kind',
    ),
  kinds: () => t(/* a word in the details of the audit log */ 'settings.audit.word.kinds', 'kinds'),
  language: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.language', 'language'),
  languages: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.languages', 'languages'),
  left_out: () =>
    t(
      /* a word in the details of the audit log: how a question was corrected: it no longer counts */ 'settings.audit.word.leftOut',
      'left out',
    ),
  limit: () =>
    t(
      /* a word in the details of the audit log: a stage of a test message */ 'settings.audit.word.limit',
      'limit',
    ),
  list: () =>
    t(
      /* a word in the details of the audit log: a list of people: “by: list” */ 'settings.audit.word.list',
      'list',
    ),
  logo: () => t(/* a word in the details of the audit log */ 'settings.audit.word.logo', 'logo'),
  mail: () =>
    t(
      /* a word in the details of the audit log: “by: mail”, or a way to sign in */ 'settings.audit.word.mail',
      'mail',
    ),
  message: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.message', 'message'),
  microphoneEnabled: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.microphoneEnabled',
      'microphone enabled',
    ),
  minutes: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.minutes', 'minutes'),
  name: () =>
    t(
      /* a word in the details of the audit log: of something */ 'settings.audit.word.name',
      'name',
    ),
  negativeMarks: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.negativeMarks',
      'negative marks',
    ),
  no_concern: () =>
    t(
      /* a word in the details of the audit log: a verdict on an attempt */ 'settings.audit.word.noConcern',
      'no concern',
    ),
  openDays: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.openDays', 'open days'),
  opensAt: () =>
    t(
      /* a word in the details of the audit log: of the time when an assessment opens: “opens 3 December” */ 'settings.audit.word.opensAt',
      'opens',
    ),
  orderNumber: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.orderNumber',
      'order number',
    ),
  outcome: () =>
    t(
      /* a word in the details of the audit log: of an attempt: passed or failed */ 'settings.audit.word.outcome',
      'outcome',
    ),
  ownTimes: () =>
    t(
      /* a word in the details of the audit log: times of one candidate, other than those of the assessment */ 'settings.audit.word.ownTimes',
      'own times',
    ),
  participants: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.participants',
      'participants',
    ),
  parts: () => t(/* a word in the details of the audit log */ 'settings.audit.word.parts', 'parts'),
  passMark: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.passMark', 'pass mark'),
  people: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.people', 'people'),
  percent: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.percent', 'percent'),
  person: () =>
    t(
      /* a word in the details of the audit log: “by: person” */ 'settings.audit.word.person',
      'person',
    ),
  points: () =>
    t(
      /* a word in the details of the audit log: of a question */ 'settings.audit.word.points',
      'points',
    ),
  publicUrl: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.publicUrl',
      'public address',
    ),
  queued: () =>
    t(
      /* a word in the details of the audit log: how many emails */ 'settings.audit.word.queued',
      'queued',
    ),
  reason: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.reason', 'reason'),
  recipient: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.recipient', 'recipient'),
  recovery_code: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.recoveryCode',
      'recovery code',
    ),
  released: () =>
    t(
      /* a word in the details of the audit log: how many results */ 'settings.audit.word.released',
      'released',
    ),
  removed: () =>
    t(
      /* a word in the details of the audit log: how many, or what */ 'settings.audit.word.removed',
      'removed',
    ),
  resealed: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.resealed', 'resealed'),
  reviewed: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.reviewed', 'reviewed'),
  rows: () => t(/* a word in the details of the audit log */ 'settings.audit.word.rows', 'rows'),
  rules: () => t(/* a word in the details of the audit log */ 'settings.audit.word.rules', 'rules'),
  score: () =>
    t(
      /* a word in the details of the audit log: of an attempt */ 'settings.audit.word.score',
      'score',
    ),
  secondStep: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.secondStep', 'second step'),
  sectionMarks: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.sectionMarks',
      'section marks',
    ),
  sections: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.sections', 'sections'),
  sender: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.sender', 'sender'),
  settings: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.settings', 'settings'),
  sign_in: () =>
    t(
      /* a word in the details of the audit log: a stage of a test message */ 'settings.audit.word.signIn',
      'sign in',
    ),
  stage: () =>
    t(
      /* a word in the details of the audit log: how far a test message came */ 'settings.audit.word.stage',
      'stage',
    ),
  startBy: () =>
    t(
      /* a word in the details of the audit log: of the latest time to start an assessment: “start by 3 December” */ 'settings.audit.word.startBy',
      'start by',
    ),
  statistics: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.statistics', 'statistics'),
  stills: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.stills', 'stills'),
  tags: () => t(/* a word in the details of the audit log */ 'settings.audit.word.tags', 'tags'),
  takenBack: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.takenBack', 'taken back'),
  talk: () =>
    t(
      /* a word in the details of the audit log: a verdict on an attempt: talk to the candidate */ 'settings.audit.word.talk',
      'talk',
    ),
  timeZone: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.timeZone', 'time zone'),
  toCategoryId: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.toCategoryId',
      'to category',
    ),
  totpRequired: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.totpRequired',
      'two-step sign-in required',
    ),
  unreadable: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.unreadable', 'unreadable'),
  uploads: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.uploads', 'uploads'),
  users: () => t(/* a word in the details of the audit log */ 'settings.audit.word.users', 'users'),
  verdict: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.verdict', 'verdict'),
  version: () =>
    t(
      /* a word in the details of the audit log: of a question */ 'settings.audit.word.version',
      'version',
    ),
  violation: () =>
    t(/* a word in the details of the audit log */ 'settings.audit.word.violation', 'violation'),
  when: () =>
    t(
      /* a word in the details of the audit log: when results are released */ 'settings.audit.word.when',
      'when',
    ),
  window: () =>
    t(
      /* a word in the details of the audit log: when an assessment opens and ends */ 'settings.audit.word.window',
      'window',
    ),
  withoutCamera: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.withoutCamera',
      'without camera',
    ),
  withQuestions: () =>
    t(
      /* a word in the details of the audit log */ 'settings.audit.word.withQuestions',
      'with questions',
    ),
};
