"""The shapes of what flows through the graph: passages, strips, candidates, claims, the result.

Only JSON-like values: a checkpoint written today must be readable by the next version, under
LangGraph's strict msgpack too. Offsets count characters; scores are probabilities in [0, 1];
`None` means "not judged".
"""

from veridic.shapes.answers import Beam as Beam
from veridic.shapes.answers import Candidate as Candidate
from veridic.shapes.answers import Hop as Hop
from veridic.shapes.answers import JudgedClaim as JudgedClaim
from veridic.shapes.answers import Objection as Objection
from veridic.shapes.answers import Origin as Origin
from veridic.shapes.answers import ReadAnswer as ReadAnswer
from veridic.shapes.answers import Rival as Rival
from veridic.shapes.answers import RunnerUp as RunnerUp
from veridic.shapes.answers import Segment as Segment
from veridic.shapes.answers import Sentence as Sentence
from veridic.shapes.answers import Verdict as Verdict
from veridic.shapes.claims import CHECKED as CHECKED
from veridic.shapes.claims import AtomicClaim as AtomicClaim
from veridic.shapes.claims import Claim as Claim
from veridic.shapes.claims import Conflict as Conflict
from veridic.shapes.claims import FactReport as FactReport
from veridic.shapes.claims import FactScores as FactScores
from veridic.shapes.claims import LookedUp as LookedUp
from veridic.shapes.claims import Standing as Standing
from veridic.shapes.evidence import CORPUS as CORPUS
from veridic.shapes.evidence import OUTSIDE as OUTSIDE
from veridic.shapes.evidence import Action as Action
from veridic.shapes.evidence import Citation as Citation
from veridic.shapes.evidence import Discarded as Discarded
from veridic.shapes.evidence import Flagged as Flagged
from veridic.shapes.evidence import Kind as Kind
from veridic.shapes.evidence import Outcome as Outcome
from veridic.shapes.evidence import Passage as Passage
from veridic.shapes.evidence import Sent as Sent
from veridic.shapes.evidence import SourceKind as SourceKind
from veridic.shapes.evidence import SourceMeasure as SourceMeasure
from veridic.shapes.evidence import Strip as Strip
from veridic.shapes.evidence import Unavailable as Unavailable
from veridic.shapes.learning import Gate as Gate
from veridic.shapes.learning import GateName as GateName
from veridic.shapes.learning import Recollection as Recollection
from veridic.shapes.learning import RecordStatus as RecordStatus
from veridic.shapes.learning import Waiting as Waiting
from veridic.shapes.learning import WriteBack as WriteBack
from veridic.shapes.lessons import Lesson as Lesson
from veridic.shapes.lessons import LessonObjection as LessonObjection
from veridic.shapes.lessons import LessonPlace as LessonPlace
from veridic.shapes.lessons import Role as Role
from veridic.shapes.lessons import StandingVote as StandingVote
from veridic.shapes.lessons import Vote as Vote
from veridic.shapes.report import SCHEMA_VERSION as SCHEMA_VERSION
from veridic.shapes.report import Analysis as Analysis
from veridic.shapes.report import Failure as Failure
from veridic.shapes.report import Grade as Grade
from veridic.shapes.report import GradeName as GradeName
from veridic.shapes.report import GraderReport as GraderReport
from veridic.shapes.report import Judges as Judges
from veridic.shapes.report import Result as Result
from veridic.shapes.report import SourceReport as SourceReport
from veridic.shapes.report import StoppedBy as StoppedBy
from veridic.shapes.report import Usage as Usage
