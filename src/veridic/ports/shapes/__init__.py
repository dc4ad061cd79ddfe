"""The shapes of what flows through the graph: passages, strips, candidates, claims, the result.

Only JSON-like values: a checkpoint written today must be readable by the next version, under
LangGraph's strict msgpack too. Offsets count characters; scores are probabilities in [0, 1];
`None` means "not judged".
"""

from veridic.ports.shapes.answers import Beam as Beam
from veridic.ports.shapes.answers import Candidate as Candidate
from veridic.ports.shapes.answers import Hop as Hop
from veridic.ports.shapes.answers import JudgedClaim as JudgedClaim
from veridic.ports.shapes.answers import Objection as Objection
from veridic.ports.shapes.answers import Origin as Origin
from veridic.ports.shapes.answers import ReadAnswer as ReadAnswer
from veridic.ports.shapes.answers import Rival as Rival
from veridic.ports.shapes.answers import RunnerUp as RunnerUp
from veridic.ports.shapes.answers import Segment as Segment
from veridic.ports.shapes.answers import Sentence as Sentence
from veridic.ports.shapes.answers import Verdict as Verdict
from veridic.ports.shapes.claims import CHECKED as CHECKED
from veridic.ports.shapes.claims import AtomicClaim as AtomicClaim
from veridic.ports.shapes.claims import Claim as Claim
from veridic.ports.shapes.claims import Conflict as Conflict
from veridic.ports.shapes.claims import FactReport as FactReport
from veridic.ports.shapes.claims import FactScores as FactScores
from veridic.ports.shapes.claims import LookedUp as LookedUp
from veridic.ports.shapes.claims import Standing as Standing
from veridic.ports.shapes.evidence import CORPUS as CORPUS
from veridic.ports.shapes.evidence import OUTSIDE as OUTSIDE
from veridic.ports.shapes.evidence import Action as Action
from veridic.ports.shapes.evidence import Citation as Citation
from veridic.ports.shapes.evidence import Discarded as Discarded
from veridic.ports.shapes.evidence import Flagged as Flagged
from veridic.ports.shapes.evidence import Kind as Kind
from veridic.ports.shapes.evidence import Outcome as Outcome
from veridic.ports.shapes.evidence import Passage as Passage
from veridic.ports.shapes.evidence import Sent as Sent
from veridic.ports.shapes.evidence import SourceKind as SourceKind
from veridic.ports.shapes.evidence import SourceMeasure as SourceMeasure
from veridic.ports.shapes.evidence import Strip as Strip
from veridic.ports.shapes.evidence import Unavailable as Unavailable
from veridic.ports.shapes.learning import Gate as Gate
from veridic.ports.shapes.learning import GateName as GateName
from veridic.ports.shapes.learning import Recollection as Recollection
from veridic.ports.shapes.learning import RecordStatus as RecordStatus
from veridic.ports.shapes.learning import Waiting as Waiting
from veridic.ports.shapes.learning import WriteBack as WriteBack
from veridic.ports.shapes.lessons import Lesson as Lesson
from veridic.ports.shapes.lessons import LessonObjection as LessonObjection
from veridic.ports.shapes.lessons import LessonPlace as LessonPlace
from veridic.ports.shapes.lessons import Role as Role
from veridic.ports.shapes.lessons import StandingVote as StandingVote
from veridic.ports.shapes.lessons import Vote as Vote
from veridic.ports.shapes.report import SCHEMA_VERSION as SCHEMA_VERSION
from veridic.ports.shapes.report import Analysis as Analysis
from veridic.ports.shapes.report import Failure as Failure
from veridic.ports.shapes.report import Grade as Grade
from veridic.ports.shapes.report import GradeName as GradeName
from veridic.ports.shapes.report import GraderReport as GraderReport
from veridic.ports.shapes.report import Judges as Judges
from veridic.ports.shapes.report import Result as Result
from veridic.ports.shapes.report import SourceReport as SourceReport
from veridic.ports.shapes.report import StoppedBy as StoppedBy
from veridic.ports.shapes.report import Usage as Usage
