/** The kinds of sealed rows, by their names in metrics and log. */
export const SEALED_NAMES = [
  'administrator',
  'sign_in_policy',
  'session',
  'pending_sign_in',
  'result',
  'evidence',
  'question',
  'certificate',
  'mail_server',
  'institution',
  'retention',
  'assessment',
  'monitoring_policy',
  'person',
  'release',
  'message',
] as const;

export type SealedName = (typeof SEALED_NAMES)[number];

/** The protection of a table against someone who can write to the database and lacks `SECRET_KEY`. */
export interface TableCover {
  /**
   * The kind of its rows' seals, and the columns that they cover, in the order of the seal's fields. A column that
   * was added later is in the seal only where it has a value, so that earlier seals stay.
   */
  sealed?: readonly [by: SealedName, columns: string, added?: string];
  /** Columns that follow from others, or that nobody can make without a key: from what. */
  derived?: Readonly<Record<string, string>>;
  /** Columns that can be changed in the database: why nothing is signed, sealed or sent from them. */
  open?: Readonly<Record<string, string>>;
}

const SEAL = { seal: 'the seal itself' };
const ONE = { one: 'there is one row' };
const FOLLOWS = 'what happened, for people who read it; the audit log has what administrators did';
const RUNNING = 'of a running attempt, which has no seal; sealed with the result at its end';

/**
 * Every table and column, in one list: sealed, derived, or open with the reason. `table-list.test.ts`
 * compares it with the database, and shows that a change of each sealed column breaks its seal. The seals of
 * the kinds in row-kinds.ts are made from it, so that a column is sealed by being listed; another list of
 * columns is another seal, and needs resealed rows (extend-seals.ts).
 */
export const TABLES: Readonly<Record<string, TableCover>> = {
  // Sign-in.
  admins: {
    sealed: ['administrator', 'id email password_hash grants created_at'],
    derived: SEAL,
    open: {
      name: 'shown to colleagues beside the address',
      language: 'of the own screens',
      last_sign_in_at: 'shown only',
    },
  },
  admin_totp: {
    sealed: ['administrator', 'admin_id sealed_secret created_at confirmed_at'],
    open: { last_step: 'changes with every code; set back, a code counts again within its minute' },
  },
  admin_recovery_codes: {
    derived: { 'admin_id code_hash': 'a keyed hash over administrator and code' },
  },
  password_resets: {
    derived: { 'admin_id token_hash expires_at': 'a keyed hash over administrator, token and end' },
  },
  pending_sign_ins: {
    sealed: ['pending_sign_in', 'token_hash admin_id expires_at'],
    derived: SEAL,
  },
  sign_in_policy: {
    sealed: ['sign_in_policy', 'totp_required updated_at'],
    derived: { ...SEAL, ...ONE },
  },
  sessions: {
    sealed: ['session', 'id admin_id token_hash created_at expires_at'],
    derived: SEAL,
    open: {
      invitation_id:
        "of candidates' sessions, which have no seal: nobody gets a result by it alone",
      waiting_at: 'shows invigilators who waits',
      'last_seen_at ended_at end_reason':
        'change with use; an ended session can be reopened for its cookie',
      password_at: 'changes with use; a confirmation can be skipped for an open session',
    },
  },
  sign_in_failures: {
    open: { 'key failures blocked_until': 'slow guessing down; decide nothing' },
  },
  preview_codes: {
    derived: { 'code_hash token_hash': 'keyed hashes; a code cannot be made without the key' },
    open: {
      'id quiz_id admin_id created_at': 'of a test invitation, whose preview asks for the rights',
    },
  },

  // The installation.
  audit_entries: {
    derived: {
      'id at admin_id action subject_type subject_id details number hash':
        'the hash chain covers them',
    },
  },
  audit_head: { derived: { 'number hash seal': 'signed, and known to trust.json', ...ONE } },
  key_check: {
    derived: { sealed_word: 'encrypted with the key that it checks', ...ONE },
    open: { made_at: 'shown nowhere' },
  },
  works: {
    open: {
      'id admin_id kind name quiz_id question_id done total begun_at alive_at ended_at result failure':
        'how far imports and rescorings are; what they store has its own seals and entries',
    },
  },
  erased_leftovers: { open: { 'one since': 'when tables are rewritten next' } },
  liveness: {
    open: { 'one alive_at': 'an outage can be made up, which gives running attempts time back' },
  },
  outages: {
    open: {
      'id began_at ended_at': 'one can be made up, which an owner may grant as any other time',
    },
  },
  live_turn: { open: { 'one number next_at': 'who queries the live board next' } },
  live_frames: { open: { 'number frame': 'the live board of the last seconds' } },
  institution: {
    sealed: ['institution', 'name time_zone public_url logo person_fields'],
    derived: { ...SEAL, ...ONE },
    open: {
      updated_at: 'shown nowhere',
      languages: 'which languages are offered',
      language_checks: 'shown in the settings; the audit log has who recorded what',
    },
  },
  retention: {
    sealed: ['retention', 'days'],
    derived: { ...SEAL, ...ONE },
    open: { updated_at: 'shown nowhere' },
  },
  smtp_settings: {
    sealed: [
      'mail_server',
      'id host port username sealed_password from_email is_active updated_at',
    ],
    derived: { ...SEAL, ...ONE },
    open: {
      tested_at: 'shown beside the settings',
      'per_minute per_minute_since next_send_at paused_at pauses fault fault_text':
        'the pace of sending, which changes with every message: mail can be delayed',
    },
  },
  outbox: {
    sealed: [
      'message',
      'id kind invitation_id code_id participant_id recipient subject variables message_id created_at',
    ],
    derived: { ...SEAL, sealed_code: 'encrypted for its message, whose recipient is sealed' },
    open: {
      'state attempts last_error last_reply next_attempt_at first_tried_at claimed_until sent_at':
        'the course of a delivery: a message can be held, or sent again to the same recipient',
    },
  },

  // Assessments.
  categories: { open: { 'id name description created_at': 'name groups of assessments' } },
  quizzes: {
    sealed: [
      'assessment',
      `id title description category_id duration total_questions opens_at end_date finish_after_end is_active
       closing_mail archived_at structure negative_marks result_rules release_rules policy_version created_at`,
      'time_rules practice_token practice_quiz_id retakes reminders start_by start_together common_starts',
    ],
    derived: SEAL,
    open: {
      'version updated_at': 'show that someone else has edited',
      languages: 'which languages are offered',
    },
  },
  quiz_policies: {
    sealed: ['monitoring_policy', 'quiz_id version settings created_at'],
    derived: SEAL,
  },
  questions: {
    derived: { search_text: 'kept by the database from the current version, note and tags' },
    open: {
      'id quiz_id order_number current_version next_option_id deleted_at archived_at category_id tags difficulty note created_at':
        'which questions a draw may select; what they ask and their keys are sealed in their versions',
    },
  },
  question_versions: {
    sealed: [
      'question',
      'question_id version question option_ids option_texts correct_option_id details correction',
    ],
    derived: SEAL,
    open: { created_at: 'shown only' },
  },
  images: {
    derived: {
      hash: 'names the bytes of its file',
      'media_type width height bytes': 'of that file',
    },
    open: { 'sources created_at': 'recognize an image in the next import' },
  },

  // People and invitations.
  users: {
    sealed: [
      'person',
      'id email given_name family_name external_id groups language former_emails entered_for created_at',
    ],
    derived: {
      ...SEAL,
      sealed_key: 'encrypted for its person',
      search_text: 'generated by the database',
    },
    open: {
      'fields note': 'shown to administrators; nothing is sent or certified from them',
      extra_time: 'an accommodation of later invitations, as they have it',
    },
  },
  invitations: {
    open: {
      'id user_id quiz_id invited_by created_at last_invited_at revoked_at first_sign_in_at':
        'a revoked invitation can be restored for someone who still has its password',
      'extra_time_factor camera_enabled microphone_enabled face_covered breaks break_minutes own_times opens_at end_date start_by duration attempts':
        'accommodations of later attempts; the deadline of an ended one is sealed with its result',
      'reminded_of_opening reminded_of_end': 'a reminder can be sent again or not at all',
      entered: 'shown to administrators and in the salutation of mails; never on a certificate',
    },
  },
  invitation_codes: {
    derived: { code_hash: 'a keyed hash; a code cannot be made without the key' },
    open: {
      'id invitation_id created_at revoked_at':
        'a replaced password can be restored, or moved to another invitation, by someone who has it',
      'opens_results session_id':
        'a printed password can open a released result for someone who has it',
    },
  },

  // Attempts.
  participants: {
    sealed: [
      'result',
      `id invitation_id user_id quiz_id attempt policy_version status submission_type receipt_id started_at
       deadline_at paused_until paused_ms submitted_at score total_marks answered_count points max_points counts_right replaced_at
       replaced_how added_minutes verdict verdict_note verdict_at verdict_by negative_marks sections`,
    ],
    derived: { result_seal: 'the seal itself' },
    open: {
      'close_at close_reason session_id last_seen_at paused_at breaks_left break_ms_left': RUNNING,
      pause_reason: 'shown while it lasts; the audit log has it',
      'counted_violations violation_calls fullscreen_exits tab_switches review_flags':
        'counts for reviewers, whose verdict is sealed',
      'is_phone used_computer device device_check camera_enabled microphone_enabled face_covered':
        RUNNING,
      'consent_text_version consent_language consent_at consent_address': 'shown in the record',
      language: 'in which its screens are',
      'note message_count help_at monitor_at silent_since monitor_checks checks_stalled_since focused':
        FOLLOWS,
    },
  },
  paper_questions: {
    sealed: ['result', 'participant_id position question_id question_version option_order'],
  },
  answers: {
    sealed: ['result', 'participant_id question_id option_id response is_flagged revision'],
    open: { 'id created_at saved_at': 'shown only' },
  },
  late_answers: {
    open: {
      'id participant_id question_id option_id response is_flagged revision received_at':
        'never scored: shown to administrators',
    },
  },
  participant_events: { open: { 'id participant_id kind at details': FOLLOWS } },
  participant_messages: { open: { 'id participant_id text at': FOLLOWS } },
  applied_actions: {
    open: { 'action_id participant_id at': 'keep a resent action from being done twice' },
  },
  feedback: { open: { 'participant_id emoji text skipped created_at': 'opinions of candidates' } },
  certificates: {
    sealed: ['certificate', 'number participant_id issued_at revoked_at content'],
    derived: SEAL,
    open: { issued_by: 'shown in the record; the audit log has it' },
  },
  result_releases: {
    sealed: ['release', 'id participant_id released_at result'],
    derived: SEAL,
    open: { released_by: 'shown in the record; the audit log has it' },
  },
  violations: {
    open: {
      'id participant_id type at received_at counted duration_ms notes engine candidate_note answer':
        'detections for reviewers, whose verdict is sealed',
    },
  },
  evidence: {
    sealed: [
      'evidence',
      'id participant_id violation_id at received_at stored_at stills has_levels bytes',
    ],
    derived: SEAL,
  },
  evidence_keys: {
    derived: { 'participant_id sealed_key': 'encrypted for its attempt' },
    open: { 'created_at destroyed_at files_removed_at': 'when evidence is deleted' },
  },
  still_hashes: {
    open: { 'participant_id hash evidence_id taken_at': 'flag repeated stills for reviewers' },
  },
};

/** The names of columns in a text of this list. */
export const namesIn = (columns: string): string[] =>
  columns.split(/\s+/).filter((name) => name !== '');
