import type { Admin } from '@invigil/core/contract/accounts/admins';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../lib/person/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useAdmins } from '../../data/team.ts';
import { LoadFailure } from '../../parts/failures.tsx';
import { EditRoles, RoleLines } from './edit-roles.tsx';
import { InviteColleague } from './invite-colleague.tsx';

/** Administrators with roles on an assessment. Wider roles are given in the settings. */
export function TeamTab({ quiz }: { quiz: Quiz }) {
  const admins = useAdmins();
  const [inviting, setInviting] = useState(false);
  const [editing, setEditing] = useState<Admin | null>(null);
  const of = { quizId: quiz.id, title: quiz.title };
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-ink-2">{t('team.subtitle', 'Who may do what in this assessment.')}</p>
        <Button icon={<Plus />} onClick={() => setInviting(true)}>
          {t(/* a button, and the title of its dialog */ 'team.invite', 'Invite a colleague')}
        </Button>
      </div>
      {admins.isError ? (
        <LoadFailure title={t('team.failed', 'Failed to load the team')} read={admins} />
      ) : (
        <Card>
          {admins.isPending ? (
            <SkeletonRows rows={2}>{t('team.loading', 'Loading the team...')}</SkeletonRows>
          ) : (
            <TeamList admins={admins.data} quiz={quiz} onEdit={setEditing} />
          )}
        </Card>
      )}
      {inviting && <InviteColleague of={of} onClose={() => setInviting(false)} />}
      {editing !== null && <EditRoles admin={editing} of={of} onClose={() => setEditing(null)} />}
    </div>
  );
}

function TeamList({
  admins,
  quiz,
  onEdit,
}: {
  admins: readonly Admin[];
  quiz: Quiz;
  onEdit(admin: Admin): void;
}) {
  const own = useSession().account?.user.id;
  const team = admins
    .map((admin) => ({
      admin,
      here: admin.grants.filter(({ quizId }) => quizId === quiz.id),
      wider: admin.grants.filter(
        ({ quizId, categoryId }) =>
          quizId === undefined && (categoryId === undefined || categoryId === quiz.categoryId),
      ),
    }))
    .filter(({ here, wider }) => here.length + wider.length > 0);
  return (
    <ul
      aria-label={t(/* the name of a list: administrators of an assessment */ 'team.list', 'Team')}
    >
      {team.map(({ admin, here, wider }) => (
        <li
          key={admin.id}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line px-5 py-3 last:border-b-0 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
        >
          <PersonOf admin={admin} isOwn={admin.id === own} />
          <div className="max-md:col-start-1">
            <RoleLines grants={[...here, ...wider]} />
          </div>
          <Button
            size="dense"
            className="max-md:col-start-2 max-md:row-span-2 max-md:row-start-1"
            aria-label={t(
              /* a button; {person} is an address */ 'team.changeRolesOf',
              'Change roles of {person}',
              { person: isolated(admin.email) },
            )}
            onClick={() => onEdit(admin)}
          >
            {t(/* a button */ 'team.changeRoles', 'Change roles')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The name with the address below it; without a name, the address. */
export function PersonOf({
  admin: { name, email },
  isOwn,
}: {
  admin: Pick<Admin, 'name' | 'email'>;
  isOwn: boolean;
}) {
  return (
    <div className="font-medium wrap-anywhere">
      {name || email}
      {isOwn && (
        <span className="font-normal text-ink-3">{` ${t(/* behind one’s own name in a list */ 'team.you', '(you)')}`}</span>
      )}
      {name !== '' && <span className="block text-sm font-normal text-ink-3">{email}</span>}
    </div>
  );
}
