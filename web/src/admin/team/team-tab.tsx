import type { Admin } from '@invigil/core/contract/accounts/admins';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../lib/person/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Cell, HeadCell, Row, Table } from '../../ui/tables/table.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { LoadFailure } from '../failures.tsx';
import { useAdmins } from './admins-api.ts';
import { EditRoles, RoleLines } from './edit-roles.tsx';
import { InviteColleague } from './invite-colleague.tsx';

/** Who may do what on an assessment. Wider roles are given in the settings. */
export function TeamTab({ quiz }: { quiz: Quiz }) {
  const admins = useAdmins();
  const [inviting, setInviting] = useState(false);
  const [editing, setEditing] = useState<Admin | null>(null);
  const of = { quizId: quiz.id, title: quiz.title };
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-ink-2">Who may do what in this assessment.</p>
        <Button icon={<Plus />} onClick={() => setInviting(true)}>
          Invite a colleague
        </Button>
      </div>
      {admins.isError ? (
        <LoadFailure title="Failed to load the team" read={admins} />
      ) : (
        <Card>
          {admins.isPending ? (
            <SkeletonRows rows={2}>Loading the team...</SkeletonRows>
          ) : (
            <TeamTable admins={admins.data} quiz={quiz} onEdit={setEditing} />
          )}
        </Card>
      )}
      {inviting && <InviteColleague of={of} onClose={() => setInviting(false)} />}
      {editing !== null && <EditRoles admin={editing} of={of} onClose={() => setEditing(null)} />}
    </div>
  );
}

function TeamTable({
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
    <Table label="Team">
      <thead>
        <tr>
          <HeadCell>Who</HeadCell>
          <HeadCell>Roles</HeadCell>
          <HeadCell end>
            <VisuallyHidden>Actions</VisuallyHidden>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {team.map(({ admin, here, wider }) => (
          <Row key={admin.id}>
            <Cell>
              <PersonOf admin={admin} isOwn={admin.id === own} />
            </Cell>
            <Cell>
              <RoleLines grants={[...here, ...wider]} />
            </Cell>
            <Cell end>
              <Button
                size="dense"
                aria-label={`Change roles of ${admin.email}`}
                onClick={() => onEdit(admin)}
              >
                Change roles
              </Button>
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
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
    <div className="font-medium break-all">
      {name || email}
      {isOwn && <span className="font-normal text-ink-3"> (you)</span>}
      {name !== '' && <span className="block text-sm font-normal text-ink-3">{email}</span>}
    </div>
  );
}
